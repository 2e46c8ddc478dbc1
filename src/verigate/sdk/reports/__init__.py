"""Reports that tools write in the field's common formats, and the standard artifacts that they become."""
