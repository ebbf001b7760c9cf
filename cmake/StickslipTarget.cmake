# Flags that every target of this project is built with; clients of the installed package do not
# inherit them.
#   -Wno-restrict      g++ 12 warns wrongly about std::string concatenation (its bug 105651)
#   -Wno-sign-conversion  clang's -Wconversion asks for casts in subscripts, g++'s does not
#   -Wno-overlength-strings  the schema of scenes is one literal of 95,000 characters
#   -ffp-contract=off  keeps the compiler from fusing a*b+c, so that every build gives the same bits
#   -mno-fma           the same; g++ 12 fuses all the same where it vectorizes sums and differences
#                      for a baseline that has the instruction
#   -fno-sanitize=...  the checks of pointers that cost half of a sanitized build: the address
#                      sanitizer stops at a null pointer anyway, and nothing here casts pointers
function(stickslip_configure_target target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
                                           -ffp-contract=off)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-restrict)
  else()
    target_compile_options(${target} PRIVATE -Wno-sign-conversion -Wno-overlength-strings)
  endif()
  if(STICKSLIP_ARCH AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(${target} PRIVATE -march=${STICKSLIP_ARCH} -mno-fma)
  endif()
  if(STICKSLIP_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${STICKSLIP_SANITIZE}
                                             -fno-sanitize=null,alignment,vptr
                                             -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${STICKSLIP_SANITIZE})
  endif()
endfunction()

# For code that does not compute: a third of its compile time would go into optimizing it. The level
# of sanitized builds is the argument.
function(stickslip_optimize_little target sanitized_level)
  if(STICKSLIP_SANITIZE)
    target_compile_options(${target} PRIVATE ${sanitized_level})
  elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# For files that take longer to read their headers than to compile: where the preset says that files
# are compiled eight at a time, sixteen. All names of such a target differ, also those of anonymous
# namespaces, so that it does not matter which files come together.
function(stickslip_compile_many_at_a_time target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
endfunction()
