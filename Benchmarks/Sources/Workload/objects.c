#include <stdlib.h>
#include <workload.h>

struct workload_person *workload_people(int64_t first, int64_t count) {
  struct workload_person *people = malloc((size_t)count * sizeof *people);
  for (int64_t i = 0; i < count; i++) workload_person(first + i, &people[i]);
  return people;
}

void workload_free_object(struct workload_object *object) {
  free(object->name);
  free(object->email);
  free(object->avatar);
  free(object->note);
}
