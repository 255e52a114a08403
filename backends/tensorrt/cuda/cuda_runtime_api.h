// All that TensorRT's headers need of CUDA's: the two types that their functions take pointers to.
#pragma once
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
