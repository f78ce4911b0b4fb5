# How the addon is built: SQLite as a static library of its own, then our C++ on top of it.
#
# Variables (scripts/build-addon.mjs passes them on):
#   --sqlite=<prefix>          use the SQLite of <prefix>/include and <prefix>/lib in place of the bundled one
#   --sqlite_libname=<name>    its library name, default sqlite3
{
  'includes': ['sqlite.gypi'],
  'variables': {
    'sqlite%': '',
    'sqlite_libname%': 'sqlite3',
    'own_warnings': ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wconversion', '-Werror'],
  },

  'target_defaults': {
    'default_configuration': 'Release',
    'configurations': {
      'Release': {
        'xcode_settings': {'DEAD_CODE_STRIPPING': 'YES'},
      },
      'Debug': {
        'cflags': ['-O0', '-g'],
        'xcode_settings': {'GCC_OPTIMIZATION_LEVEL': '0'},
      },
    },
    # Hidden unless said otherwise: two copies of SQLite in one process must never find each other's functions.
    'cflags': ['-fvisibility=hidden'],
    'xcode_settings': {'GCC_SYMBOLS_PRIVATE_EXTERN': 'YES'},
  },

  'targets': [
    {
      'target_name': 'sqlite_tandem',
      'sources': [
        '<!@(node -p "[\'core\', \'napi\'].flatMap((d) => fs.readdirSync(d).filter((f) => f.endsWith(\'.cc\')).sort().map((f) => d + \'/\' + f)).join(\' \')")',
      ],
      'defines': [
        'NAPI_VERSION=8',                          # one binary for Node 20 and everything after it
        'NODE_API_NO_EXTERNAL_BUFFERS_ALLOWED',    # Electron refuses them, so the compiler shall too
      ],
      'include_dirs': ['.'],
      'configurations': {
        'Release': {
          'defines': ['NDEBUG'],
          'cflags': ['-O3'],
          'xcode_settings': {'GCC_OPTIMIZATION_LEVEL': '3'},
        },
      },

      # Node's headers as system headers, so that our warnings judge our code only.
      # (-Werror stands in cflags_cc because Node's common.gypi takes it out of cflags.)
      'cflags!': ['-Wno-unused-parameter'],
      'cflags_cc!': ['-std=gnu++17', '-std=gnu++20'],
      'cflags_cc': [
        '-std=c++17', '-fno-exceptions', '-fno-rtti', '-fvisibility-inlines-hidden',
        '-isystem', '<(node_root_dir)/include/node',
        '<@(own_warnings)',
      ],
      'xcode_settings': {
        'CLANG_CXX_LANGUAGE_STANDARD': 'c++17',
        'CLANG_CXX_LIBRARY': 'libc++',
        'GCC_ENABLE_CPP_EXCEPTIONS': 'NO',
        'GCC_ENABLE_CPP_RTTI': 'NO',
        'GCC_INLINES_ARE_PRIVATE_EXTERN': 'YES',
        'OTHER_CPLUSPLUSFLAGS': ['-isystem', '<(node_root_dir)/include/node'],
        'WARNING_CFLAGS': ['<@(own_warnings)'],
        'OTHER_LDFLAGS': [
          '-Wl,-exported_symbol,_napi_register_module_v1',
          '-Wl,-exported_symbol,_node_api_module_get_api_version_v1',
        ],
      },
      'msvs_settings': {
        'VCCLCompilerTool': {
          'ExceptionHandling': 0,
          'RuntimeTypeInfo': 'false',
          'WarningLevel': 4,
          'WarnAsError': 'true',
          'AdditionalOptions': [
            '/std:c++17', '/permissive-', '/utf-8',
            '/external:W0', '/external:I', '<(node_root_dir)/include/node',
          ],
        },
      },

      'conditions': [
        ['sqlite == ""', {
          'dependencies': ['sqlite3'],
        }, {
          # C++ leaves out what an older or smaller SQLite does not have.
          'defines': ['SQLITE_TANDEM_SYSTEM_SQLITE'],
          'conditions': [
            # /usr is where compiler and linker look anyway; naming it again would disturb the order of C++'s headers.
            ['sqlite != "/usr"', {
              'include_dirs': ['<(sqlite)/include'],
              'library_dirs': ['<(sqlite)/lib'],
            }],
            ['sqlite != "/usr" and OS == "linux"', {
              'ldflags': ['-Wl,-rpath,<(sqlite)/lib'],
            }],
            ['OS == "win"', {
              'libraries': ['<(sqlite_libname).lib'],
            }, {
              'libraries': ['-l<(sqlite_libname)'],
            }],
          ],
        }],
        ['OS == "linux"', {
          'ldflags': [
            '-Wl,-Bsymbolic',    # our calls go to our functions, whatever else the process has loaded
            # A worker that ends would unload the library under a thread that is still on its way out.
            '-Wl,-z,nodelete',
            '-Wl,--version-script=<(module_root_dir)/exports.map',
          ],
        }],
      ],
    },
  ],

  'conditions': [
    ['sqlite == ""', {
      'targets': [
        {
          'target_name': 'sqlite3',
          'type': 'static_library',
          'sources': ['sqlite/sqlite3.c'],
          'include_dirs': ['sqlite'],
          'defines': ['<@(sqlite_defines)'],
          'direct_dependent_settings': {
            'include_dirs': ['sqlite'],
          },
          # -O3 made it a third slower to compile and 450 KB larger, and no query faster.
          'configurations': {
            'Release': {
              # Node keeps frame pointers for profilers; in SQLite's interpreter the register is worth more.
              'cflags': ['-O2', '-fomit-frame-pointer'],
              'xcode_settings': {'GCC_OPTIMIZATION_LEVEL': '2'},
            },
          },
          # SQLite is tested by SQLite; a warning in its code is nothing anyone here should act upon.
          'cflags': ['-fPIC', '-w'],
          'xcode_settings': {'WARNING_CFLAGS': ['-w']},
          'msvs_settings': {'VCCLCompilerTool': {'WarningLevel': 0}},
        },
      ],
    }],
  ],
}
