typedef struct __attribute__((aligned(ALIGNMENT))) vector {
    float x[16];
} vector;
