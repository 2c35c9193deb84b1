from tensortidy import tensortidy

tensortidy()
