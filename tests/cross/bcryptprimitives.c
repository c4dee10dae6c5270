/* Wine 8, which is Debian 12's, lacks this library. Windows has it since version 10. Rust's standard library asks it for random
 * bytes; Wine has the same under an older name. */
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) { return SystemFunction036(data, (ULONG)length); }
