// Left out of Debian's libtorch-dev.
#pragma once
