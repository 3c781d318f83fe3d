struct texture;
void texture_drop(struct texture *texture);
