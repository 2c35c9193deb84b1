# tensortidy_embed(TARGET OUTPUT FILE...) makes a header of text files:
# models/libtorch.yaml becomes `inline constexpr char kLibtorchModel[]`, and
# `kModels` lists them all. The same file, run as a script, writes it.

if(CMAKE_SCRIPT_MODE_FILE)
  set(Text "// Generated from the data files beside its users. Do not edit.\n")
  set(Table "")
  foreach(File IN LISTS FILES)
    get_filename_component(Name ${File} NAME_WE)
    string(SUBSTRING ${Name} 0 1 First)
    string(SUBSTRING ${Name} 1 -1 Rest)
    string(TOUPPER ${First} First)
    file(READ ${File} Content)
    if(LLVM LESS 18)
      # Its parser of YAML takes `[at::Tensor]` for a mistake.
      string(REGEX REPLACE "([[,{][ \n]*|[{,] *[a-z_]+: )([^][,{}\"'# \n]*::[^][,{}\"' \n]*)" "\\1\"\\2\"" Content "${Content}")
    endif()
    string(APPEND Text "inline constexpr char k${First}${Rest}Model[] = R\"TENSORTIDY(${Content})TENSORTIDY\";\n")
    string(APPEND Table "    {\"${Name}\", k${First}${Rest}Model},\n")
  endforeach()
  string(APPEND Text "struct EmbeddedModel {\n  const char *Name, *Text;\n};\n"
    "inline constexpr EmbeddedModel kModels[] = {\n${Table}};\n")
  file(WRITE ${OUTPUT} "${Text}")
  return()
endif()

set(TENSORTIDY_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(tensortidy_embed Target Output)
  if(NOT ARGN)
    return()
  endif()
  add_custom_command(OUTPUT ${Output}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${ARGN}" -DOUTPUT=${Output} -DLLVM=${TENSORTIDY_LLVM} -P ${TENSORTIDY_EMBED_SCRIPT}
    DEPENDS ${ARGN} ${TENSORTIDY_EMBED_SCRIPT} VERBATIM)
  target_sources(${Target} PRIVATE ${Output})
  get_filename_component(Dir ${Output} DIRECTORY)
  target_include_directories(${Target} PRIVATE ${Dir})
endfunction()
