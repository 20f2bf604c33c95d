CREATE TABLE "Course" ("code" TEXT PRIMARY KEY NOT NULL, "title" TEXT NOT NULL, "begins" REAL);
CREATE TABLE "Everything" ("objectID" INTEGER PRIMARY KEY AUTOINCREMENT, "flag" INTEGER NOT NULL, "small" INTEGER NOT NULL, "large" INTEGER NOT NULL, "single" REAL NOT NULL, "double" REAL NOT NULL, "text" TEXT NOT NULL, "data" BLOB NOT NULL, "date" REAL NOT NULL, "uuid" TEXT NOT NULL, "url" TEXT NOT NULL, "decimal" TEXT NOT NULL, "list" TEXT NOT NULL, "missing" TEXT);
CREATE INDEX "ov_Everything__small_large" ON "Everything" ("small", "large");
CREATE UNIQUE INDEX "ovu_Everything__text" ON "Everything" ("text");
CREATE TABLE "Student" ("objectID" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL, "age" INTEGER NOT NULL, "tags" TEXT NOT NULL DEFAULT '[]');
CREATE INDEX "ov_Student__age" ON "Student" ("age");
CREATE TABLE objectvault_classes ("table" TEXT PRIMARY KEY NOT NULL, "name" TEXT NOT NULL, "description" TEXT NOT NULL);
CREATE TABLE objectvault_info ("key" TEXT PRIMARY KEY NOT NULL, "value" TEXT NOT NULL);
