#!/usr/bin/env bash
# Builds, serves, tests and measures Burstscope. Run it from anywhere.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

usage() {
  cat <<'END'
./build.sh serve [--port N] [--path P] [--no-open]   build the page and serve it on this machine
./build.sh build                          build the page into dist/, with compressed files and a size report, and the Worker
./build.sh test [native]                  run every check of a change; native: those without browser, display and node
./build.sh bench [all]                    measure speed natively and in WebAssembly; all: Go benchmarks too
./build.sh bench page [FOLDER...]         measure what a visitor waits for, of dist/ or of other built pages, in turns
./build.sh bench memory [FOLDER...]       measure the memory of the page's engines, for every preset and shipped scenario
./build.sh release [-tag vVERSION]        write programs, wheels, npm package, site, image, SBOM and sums into release/
./build.sh update [all] [PACKAGE...]      write every golden file and every table of a document again; all: run the studies first
./build.sh help                           print this text
END
}

say() { printf '%s\n' "$*"; }
fail() {
  printf 'build.sh: %s\n' "$*" >&2
  exit 1
}

# --- required programs -------------------------------------------------------

# need_go says in one line which Go builds. It is the installed one, or that of the toolchain line of go.mod if that
# is newer and can be fetched. A newer Go than that is taken as it is.
need_go() {
  local least pinned have used
  least=$(sed -n 's/^go //p' go.mod)
  pinned=$(sed -n 's/^toolchain go//p' go.mod)
  command -v go >/dev/null 2>&1 ||
    fail "Go $least or newer is missing. Install it from https://go.dev/dl/ and put its bin folder on PATH."
  # "local" selects the installed version.
  have=$(GOTOOLCHAIN=local go version | sed -E 's/^go version (devel )?go([^ ]*).*/\2/')
  if go list -m >/dev/null 2>&1; then # go env does not mind a Go that is too old
    used=$(go env GOVERSION)
    used=${used#go}
    used=${used%% *}
    if [ "$used" = "$pinned" ]; then
      say "Go $used builds, as go.mod pins."
    else
      say "Go $used builds; go.mod pins Go $pinned, of which the sizes in the documents are."
    fi
  elif [ "$(printf '%s\n' "$least" "$have" | sort -V | head -n 1)" = "$least" ]; then
    export GOTOOLCHAIN=local
    say "Go $have builds, because Go $pinned, which go.mod pins, cannot be fetched."
  else
    fail "Go $have is too old, $least or newer is needed. Install it from https://go.dev/dl/."
  fi
}

may_install=yes # no: what can be installed has been
lists=old        # of packages
wanted=          # a file: note the names of packages in it, and install none

# can_install is true if missing tools can be installed without a question: by root on Debian.
can_install() { [ "$may_install" = yes ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }

install_packages() {
  can_install || return 1
  if [ -n "$wanted" ]; then
    printf '%s\n' "$@" >>"$wanted"
    return 0
  fi
  say "installing $* with apt-get"
  [ "$lists" = new ] || apt-get update -qq >/dev/null 2>&1 || return 1
  lists=new
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}

need_node() {
  command -v node >/dev/null 2>&1 || install_packages nodejs || true
  command -v node >/dev/null 2>&1 ||
    fail "node is missing; the tests run WebAssembly in it. Install it: apt install nodejs, brew install node, or https://nodejs.org/."
}

# find_browser prints the path of a Chromium. site/e2e looks in the same places. The headless shell is Chromium without
# windows, which no test shows: the tests take a sixth less CPU time in it.
find_browser() {
  local name
  if [ -n "${CHROME:-}" ]; then
    command -v "$CHROME" || return 1
    return 0
  fi
  for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable chrome; do
    command -v "$name" && return 0
  done
  for name in "/Applications/Chromium.app/Contents/MacOS/Chromium" "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
    if [ -x "$name" ]; then
      say "$name"
      return 0
    fi
  done
  return 1
}

need_browser() {
  if [ "${BURSTSCOPE_SKIP_BROWSER:-}" = 1 ]; then
    say "SKIPPED: every test in a browser, because BURSTSCOPE_SKIP_BROWSER=1"
    return 0
  fi
  local found
  if [ -n "${CI:-}" ] && [ -z "${CHROME:-}" ] && ! command -v chromium-headless-shell >/dev/null 2>&1; then
    install_packages chromium-headless-shell || true # a Chromium that is there will do too
  fi
  if ! found=$(find_browser); then
    [ -z "${CHROME:-}" ] || fail "CHROME=$CHROME cannot be run."
    install_packages chromium-headless-shell || install_packages chromium || true
    found=$(find_browser) ||
      fail "Chromium is missing; the tests open the page in it. Install it: apt install chromium, brew install --cask chromium, or set CHROME to a Chrome or Chromium. BURSTSCOPE_SKIP_BROWSER=1 leaves those tests out."
  fi
  export CHROME=$found
}

# find_program prints the path of the first program that is there. A variable may name another; "none" leaves its tests out.
find_program() {
  local named=$1 name
  shift
  if [ -n "$named" ]; then
    command -v "$named"
    return
  fi
  for name in "$@"; do
    command -v "$name" && return 0
  done
  return 1
}

# left_out says so where nobody wants the tests of a browser: need NAME VARIABLE.
left_out() {
  [ "${BURSTSCOPE_SKIP_BROWSER:-}" != 1 ] || return 0 # said before
  [ "${!2:-}" = none ] || return 1
  say "SKIPPED: every test in $1, because $2=none"
}

# need_firefox and need_webkit: the tests drive Firefox through puppeteer-core, and WebKitGTK, which has the engine of Safari,
# through its own driver. WebKitGTK is for Linux; elsewhere its tests are left out. site/e2e looks in the same places.
need_firefox() {
  left_out Firefox FIREFOX && return 0
  local names=(firefox-esr firefox /Applications/Firefox.app/Contents/MacOS/firefox) found
  if ! found=$(find_program "${FIREFOX:-}" "${names[@]}"); then
    [ -z "${FIREFOX:-}" ] || fail "FIREFOX=$FIREFOX cannot be run."
    install_packages firefox-esr || true
    found=$(find_program "" "${names[@]}") ||
      fail "Firefox is missing; the tests open the page in it. Install it: apt install firefox-esr, brew install --cask firefox, or set FIREFOX to one. FIREFOX=none leaves those tests out."
  fi
  export FIREFOX=$found
}

need_webkit() {
  left_out WebKit WEBKIT_DRIVER && return 0
  if [ "$(uname -s)" != Linux ]; then
    say "SKIPPED: every test in WebKit, because WebKitGTK is for Linux"
    export WEBKIT_DRIVER=none
    return 0
  fi
  local found
  if ! found=$(find_program "${WEBKIT_DRIVER:-}" WebKitWebDriver) || ! command -v dbus-run-session >/dev/null 2>&1; then
    [ -z "${WEBKIT_DRIVER:-}" ] || [ -n "$found" ] || fail "WEBKIT_DRIVER=$WEBKIT_DRIVER cannot be run."
    install_packages webkit2gtk-driver dbus-daemon || true
    found=$(find_program "${WEBKIT_DRIVER:-}" WebKitWebDriver) && command -v dbus-run-session >/dev/null 2>&1 ||
      fail "WebKitWebDriver or dbus-run-session is missing; the tests open the page in WebKitGTK. Install them: apt install webkit2gtk-driver dbus-daemon. WEBKIT_DRIVER=none leaves those tests out."
  fi
  export WEBKIT_DRIVER=$found
}

# display_packages are the packages that the tests of drawing need on Linux: a virtual
# display with the program that makes its key, and the libraries that ebiten loads at run
# time (it needs no headers): X11 with its extensions, and OpenGL with Mesa's software
# renderer.
display_packages=(xvfb xauth libgl1 libgl1-mesa-dri libx11-6 libxcursor1 libxext6 libxi6 libxinerama1 libxrandr2 libxrender1)
display_libraries=(libGL.so.1 libX11.so.6 libXcursor.so.1 libXext.so.6 libXi.so.6 libXinerama.so.1 libXrandr.so.2 libXrender.so.1)

# missing_for_display prints the names of the missing programs and libraries.
missing_for_display() {
  local name known
  if [ -z "${DISPLAY:-}" ]; then
    for name in xvfb-run xauth; do
      command -v "$name" >/dev/null 2>&1 || say "$name"
    done
  fi
  known=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null) || return 0 # this Linux has no list of libraries
  for name in "${display_libraries[@]}"; do
    case "$known" in
      *"$name "*) ;;
      *) say "$name" ;;
    esac
  done
}

need_display() {
  [ "$(uname -s)" = Linux ] || return 0
  if [ "${BURSTSCOPE_SKIP_DRAWING:-}" = 1 ]; then
    say "SKIPPED: every test of drawing, because BURSTSCOPE_SKIP_DRAWING=1"
    return 0
  fi
  local missing
  missing=$(missing_for_display)
  [ -n "$missing" ] || return 0
  install_packages "${display_packages[@]}" || true
  missing=$(missing_for_display | tr '\n' ' ')
  [ -z "$missing" ] ||
    fail "The tests of drawing lack ${missing% }. Install them: apt install ${display_packages[*]}; BURSTSCOPE_SKIP_DRAWING=1 leaves those tests out."
}

# need_compiler tries to install the compiler of the committed PTX and plug-ins, and its linker.
# Without them the tests that compile these again are left out: the version must be exactly this one.
need_compiler() {
  command -v clang++-19 >/dev/null 2>&1 && command -v wasm-ld-19 >/dev/null 2>&1 || install_packages clang-19 lld-19 || true
}

# need_slurm tries to install Slurm in CI; a test runs a job array on it. On other machines its services would
# stay behind, so without Slurm the test is left out.
need_slurm() {
  [ -n "${CI:-}" ] || return 0
  command -v slurmctld >/dev/null 2>&1 || install_packages slurmctld slurmd slurm-client munge || true
}

# need_parallel tries to install GNU parallel in CI; a test runs the parts of a sweep with it. Without it the test is left out.
need_parallel() {
  [ -n "${CI:-}" ] || return 0
  command -v parallel >/dev/null 2>&1 || install_packages parallel || true
}

# a_python_has says whether one of the Pythons that the tests try has all modules. Debian's packages are of its own.
a_python_has() {
  local python modules=$*
  for python in python3 /usr/bin/python3; do
    "$python" -c "import ${modules// /, }" >/dev/null 2>&1 && return 0
  done
  return 1
}

# need_pip tries to install pip in CI, with which tests install the Python package, and what the package works with:
# NumPy, pandas, two bars of progress, Dask's scheduler; and a checker of types. Without them these tests are left out.
need_pip() {
  [ -n "${CI:-}" ] || return 0
  a_python_has pip || install_packages python3-pip || true
  a_python_has pip numpy pandas tqdm rich distributed ||
    install_packages python3-pip python3-numpy python3-pandas python3-tqdm python3-rich python3-distributed || true
  command -v mypy >/dev/null 2>&1 || install_packages mypy || true
}

# need_tools puts what tests use besides a browser into site/e2e/node_modules:
# wrangler with workerd, axe-core, Lighthouse, TypeScript, AssemblyScript, puppeteer-core.
# site/e2e/package-lock.json pins every version; nothing of it is shipped.
need_tools() {
  [ "${BURSTSCOPE_SKIP_BROWSER:-}" != 1 ] || return 0
  local folder=site/e2e
  if [ "$folder/node_modules/.package-lock.json" -nt "$folder/package-lock.json" ]; then return 0; fi
  command -v npm >/dev/null 2>&1 || install_packages npm || true
  command -v npm >/dev/null 2>&1 ||
    fail "npm is missing; it brings what the browser tests use. It comes with node: https://nodejs.org/."
  say "installing the browser tests' programs with npm"
  npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --loglevel=error ||
    fail "npm could not install what $folder/package-lock.json names. With a network run npm ci --prefix $folder --ignore-scripts; BURSTSCOPE_SKIP_BROWSER=1 leaves those tests out."
}

# need_programs finds what the tests use besides Go. What is missing is installed in one call first: to read the lists
# and to run what packages ask for at the end of a call takes as long as a package.
need_programs() {
  local need names needs=(need_node need_browser need_firefox need_webkit need_display)
  needs+=(need_compiler need_slurm need_parallel need_pip)
  if can_install; then
    wanted=$log.wanted
    : >"$wanted"
    for need in "${needs[@]}"; do ("$need") >/dev/null 2>&1 || true; done
    names=$(sort -u "$wanted" | tr '\n' ' ')
    wanted=
    # shellcheck disable=SC2086 # a list of words
    [ -z "$names" ] || install_packages $names || true
  fi
  for need in "${needs[@]}"; do "$need"; done
  need_tools
}

# wasm_exec prints the command that runs a Go program under node: that of go_js_wasm_exec, but node
# compiles a function a second time, with optimizations, only after 50 times as much work. In short
# tests this second compilation takes longer than it saves. A node without the option runs as it is.
wasm_exec() {
  local late=--wasm-tiering-budget=100000000
  node "$late" -e 0 >/dev/null 2>&1 || late=
  say "node --stack-size=8192 $late '$(go env GOROOT)/lib/wasm/wasm_exec_node.js'"
}

# --- verbs --------------------------------------------------------------------

build_page() {
  say "building the page into dist/"
  go run ./tools/build "$@"
}

serve() {
  need_go
  build_page -compress=false
  mkdir -p .cache
  go build -o .cache/serve ./tools/serve
  exec .cache/serve "$@"
}

passed=0
failed=0
skipped=0
failures=()
log=.cache/test.$$.log
display=() # command that gives a test a display, if it needs one

# stage runs one step of the tests. The next step runs in any case, so one call shows
# every fault. A step that ran Go tests counts as the number of these tests.
stage() {
  local name=$1 start=$SECONDS verdict good bad left
  shift
  say "== $name"
  : >"$log"
  if ("$@"); then
    verdict=passed
  else
    verdict=FAILED
    failures+=("$name")
  fi
  good=$(grep -c '^--- PASS' "$log" || true)
  bad=$(grep -c '^--- FAIL' "$log" || true)
  left=$(grep -c '^--- SKIP' "$log" || true)
  [ "$verdict" = passed ] || [ "$bad" != 0 ] || bad=1
  [ "$((good + bad + left))" != 0 ] || good=1
  skipped=$((skipped + left))
  passed=$((passed + good))
  failed=$((failed + bad))
  say "== $name: $verdict, $((SECONDS - start)) s"
}

# go_test prints a summary of a test run: a line for each package, each skipped test with
# its reason, and the whole output if a test failed. The stage of vet has looked at all packages.
go_test() {
  if ${display[@]+"${display[@]}"} go test -v -vet=off "$@" >"$log" 2>&1; then
    awk '/^ *--- SKIP/ { print; print before } /^ok/ { print } { before = $0 }' "$log"
  else
    grep -vE '^(=== (RUN|PAUSE|CONT|NAME)|[[:space:]]*--- PASS|PASS$|\?)' "$log"
    return 1
  fi
}

check_format() {
  local bad
  bad=$(find . -name '*.go' -not -path './.cache/*' -not -path './dist/*' -not -path '*/node_modules/*' -exec gofmt -l {} +)
  [ -z "$bad" ] || {
    say "not formatted; run gofmt -w on:" "$bad"
    return 1
  }
}

# check_vet gives the garbage collector of vet and of the compiler more room: they live briefly.
check_vet() {
  export GOGC=400
  go vet ./... && export GOOS=js GOARCH=wasm || return 1
  as_engine go vet ./wasm/engine && as_engine go vet -tags=fetched ./wasm/engine || return 1
  # shellcheck disable=SC2046 # a list of words
  as_page go vet $(go list ./wasm/... | grep -v '/wasm/engine$')
}

# as_page runs the go command with the flags with which tools/build compiles the page's programs, and as_engine with
# those of the engine: vet, the tests of core under node and the page compile each package once, and the tests run the
# code that is shipped.
as_page() { as_shipped -pgo=off "$@"; }
as_engine() { as_shipped -pgo=tools/burstscope/default.pgo "$@"; }
as_shipped() {
  local profile=$1 flags
  shift
  flags=$(GOOS='' GOARCH='' go run ./tools/build -flags) || return 1
  GOFLAGS="$GOFLAGS $flags $profile" "$@"
}

# go mod tidy also reads the tests of dependencies, which may be missing on a machine
# without a network. Then at least every import must be in go.mod.
check_modules() {
  local said
  said=$(go mod tidy -diff 2>&1) && return 0
  case "$said" in
    *"diff current/"*) say "$said" && say "go.mod is not tidy; run go mod tidy" && return 1 ;;
  esac
  say "NOT COMPARED with go mod tidy: $said"
  go list -mod=readonly -deps ./... >/dev/null
}

# longest_first prints a list of packages with those first whose tests take longest: go test
# begins in the order of its list, and one long package at the end would leave a core idle.
longest_first() {
  local all name long=(core/experiment core/machine tools/burstscope/reproduce core/workload/programs core/ptx/execute tools/burstscope/recipes core/memctrl tools/burstscope/sweep tools/burstscope/run)
  all=$(cat)
  for name in "${long[@]}"; do
    grep "/$name\$" <<<"$all" || true
    all=$(grep -v "/$name\$" <<<"$all")
  done
  say "$all"
}

# test_native gives the garbage collector of tests more room, up to a limit: machines live briefly, too. That is a
# quarter of their CPU time. One package more than there are cores runs at a time, because tests also wait.
test_native() {
  local packages
  packages=$(go list ./... | grep -vE '/site/e2e$|/render/(app|draw)$' | longest_first) || return 1
  # shellcheck disable=SC2086 # a list of words
  GOGC=400 GOMEMLIMIT=3GiB go_test -p "$(($(getconf _NPROCESSORS_ONLN) + 1))" -timeout 20m $packages
}

# test_drawing tests pixels in a window, on Linux on a virtual display. It does not use
# cached results, because the cache does not depend on the display.
test_drawing() {
  local display=()
  if [ "$(uname -s)" = Linux ] && [ -z "${DISPLAY:-}" ] && [ "${BURSTSCOPE_SKIP_DRAWING:-}" != 1 ]; then display=(xvfb-run -a); fi
  go_test -count=1 ./render/app ./render/draw
}

# native_only are tests that take long and assert of single results what follows in WebAssembly from equal bits: those
# of every program under every scheme are held against the native ones by TestMatrix*, and the data of every
# program by TestInputsAreTheGoldenOnes.
native_only=(
  TestKernelsDoWhatTheReferencesSay TestDependenciesAreCentral TestParticlesFollowTheDisc TestTheHeartIsFollowed
  TestSafeRegionsAreThoseOfThePaper TestPagesFollowZipf TestProxiesHaveThePaperMeanRatios TestTSLCErrorsAreOrdered
  TestLitmus TestLanesMakeProgressOneByOne TestGroupsInTheMachine TestHopperFigures TestHintsInL2
  TestStreamingReadsReachPeak TestLongWaitsEnd TestThreadsOfPrograms
)

# test_wasm tests the packages of core of which the page and the Worker are built. The others,
# such as the ledger of claims, are in no WebAssembly program that is shipped.
test_wasm() {
  local packages
  packages=$(GOOS=js GOARCH=wasm go list -deps ./wasm/... | grep -F "$(go list -m)/core/" | sort | longest_first) || return 1
  say "left to the native tests: ${native_only[*]}"
  # shellcheck disable=SC2086 # a list of words
  GOOS=js GOARCH=wasm as_engine go_test -short -timeout 10m -skip "^($(tr ' ' '|' <<<"${native_only[*]}"))\$" \
    -exec "$(wasm_exec)" $packages
}

# check_types checks the TypeScript against site/tsconfig.json; esbuild only removes types.
check_types() {
  local tsc=site/e2e/node_modules/typescript/bin/tsc
  if [ ! -f "$tsc" ]; then
    say "--- SKIP: the types of the page were not checked, because $tsc is missing"
    return 0
  fi
  go run ./tools/build -sources && node "$tsc" -p site/tsconfig.json
}

# begin NAME COMMAND... starts a step beside the stages that follow, which leave a core idle at times. "ended NAME"
# waits for it and shows what it said. Nothing that takes two cores: beside Firefox and WebKit the tests of core under
# node made both together 40 s slower.
begin() {
  local name=$1
  shift
  {
    local code=0
    ("$@") >"$log.$name" 2>&1 || code=$?
    say "$code" >"$log.$name.code"
  } &
}

ended() {
  until [ -s "$log.$1.code" ]; do sleep 0.2; done
  tee "$log" <"$log.$1"
  [ "$(cat "$log.$1.code")" = 0 ]
}

# test_page runs more tests beside each other than there are cores: tests of a page also wait,
# for frames, timers and slow lines.
test_page() { go_test -count=1 -parallel "$(($(getconf _NPROCESSORS_ONLN) + 1))" -timeout 60m -skip '^Test(Firefox|WebKit)$' ./site/e2e; }

# test_others runs the same checks in Firefox and in WebKit beside each other.
test_others() { go_test -count=1 -timeout 20m -run '^Test(Firefox|WebKit)$' ./site/e2e; }

# prepare_tests sets what every stage uses.
prepare_tests() {
  mkdir -p .cache
  trap 'rm -f "$log"*' EXIT
  # The command line tool has a profile of its own, with which the go command would compile every
  # package a second time. The page's engine is built with it in any case. No test needs tables for a debugger, which
  # are half of a linker's time.
  export GOFLAGS="${GOFLAGS:-} -pgo=off -ldflags=-w"
}

# count_tests says what came of all stages since a second.
count_tests() {
  say "total: $((SECONDS - $1)) s"
  [ "$failed" = 0 ] || printf 'failed: %s\n' "${failures[@]}"
  [ "$skipped" = 0 ] || say "SKIPPED: $skipped tests did not run; the reasons are above"
  say "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

# native_tests are the stages for a system whose browsers are not tested.
native_tests() {
  local start=$SECONDS
  need_go
  prepare_tests
  stage "format" check_format
  stage "vet" go vet ./...
  stage "import edges and purity" go run ./tools/tidy
  stage "tests, native" test_native
  count_tests "$start"
}

run_tests() {
  local start=$SECONDS
  need_go
  prepare_tests
  # Packages are installed beside stages that need none of them. Where nothing may be installed, a missing program is
  # said before any stage.
  if can_install; then begin programs need_programs; else need_programs; fi
  stage "format" check_format
  stage "vet" check_vet
  stage "go.mod" check_modules
  stage "import edges and purity" go run ./tools/tidy
  if can_install; then
    ended programs || exit 1
    may_install=no
    need_programs >/dev/null # this shell learns where they are
  fi
  begin types check_types
  stage "tests, native" test_native
  stage "types of the page" ended types
  begin page build_page -check -quick -worker
  stage "tests of drawing" test_drawing
  stage "tests of core, WebAssembly under node" test_wasm
  stage "page and size budget" ended page
  # The newest Go that the module proxy lists builds the page's engine, and a run under node is compared with a native one.
  begin newest go run ./tools/build -newest
  stage "page in Firefox and WebKit" test_others
  stage "engine of the newest Go" ended newest
  stage "page in Chromium; same bits everywhere" test_page
  count_tests "$start"
}

# bench_pages measures built pages in Chromium, of this folder or of others, for example of an earlier commit:
# bench_pages VARIABLE TEST [FOLDER...]
bench_pages() {
  local variable=$1 test=$2 folder pages=
  shift 2
  need_browser
  [ $# != 0 ] || set -- dist
  for folder in "$@"; do
    [ -f "$folder/index.html" ] || fail "$folder holds no built page; run ./build.sh build there"
    pages="${pages:+$pages:}$(cd "$folder" && pwd)"
  done
  env "$variable=$pages" go test -count=1 -timeout 60m -v -run "^$test\$" ./site/e2e
}

bench() {
  need_go
  case "${1:-}" in
    page)
      shift
      bench_pages BURSTSCOPE_TIMES_OF TestPageTimes "$@"
      return
      ;;
    memory)
      shift
      bench_pages BURSTSCOPE_MEMORY_OF TestPageMemory "$@"
      return
      ;;
  esac
  need_node
  go run ./tools/bench
  if [ "${1:-}" = all ]; then
    go test -run '^$' -bench . -benchmem ./core/...
  fi
}

verb=${1:-help}
[ $# = 0 ] || shift
case "$verb" in
  serve) serve "$@" ;;
  build) need_go && build_page -worker "$@" ;;
  test)
    case "${1:-}" in
      "") run_tests ;;
      native) native_tests ;;
      *) fail "test takes no word '$1': leave it out, or say native" ;;
    esac
    ;;
  bench) bench "$@" ;;
  release) need_go && go run -pgo=off ./tools/release "$@" ;;
  update) need_go && need_compiler && GOFLAGS="${GOFLAGS:-} -pgo=off" go run ./tools/update "$@" ;;
  help | -h | --help) usage ;;
  *)
    usage >&2
    fail "unknown verb '$verb': use one of those above"
    ;;
esac
