// The façade.
