# SPDX-License-Identifier: GPL-2.0
#
# grtrace.  Kernel modules are built out of tree; 'make patches' makes them a part of a kernel.
# 'make help' lists the targets.

KDIR	?= /lib/modules/$(shell uname -r)/build
KERNEL	?= 6.1
PREFIX	?= /usr/local
DESTDIR	?=

selftests := tools/testing/selftests/grtrace
# modules for KDIR are built here, so that the sources stay clean
modules_dir := build/$(notdir $(patsubst %/build,%,$(KDIR)))

# A folder of tests is a part that may be empty; what is in it must be executable.
host_tests := $(filter-out $(wildcard $(selftests)/t/vm-*.t),$(wildcard $(selftests)/t/*.t))
benches := $(shell find bench -maxdepth 1 -type f -executable 2>/dev/null | sort)

help:	## this list
	@echo "Targets (out of tree, only install and run_tests need root):"
	@sed -nE 's/^([a-z_-]+):.*## (.*)/  \1|\2/p' Makefile | awk -F '|' '{ printf "%-18s%s\n", $$1, $$2 }'
	@echo
	@echo "Variables: KDIR=$(KDIR)"
	@echo "           KERNEL=$(KERNEL)  PREFIX=$(PREFIX)  DESTDIR=$(DESTDIR)"

all: modules tools	## modules and tools

modules:	## kernel modules for the kernel of KDIR
	scripts/build-modules $(modules_dir) "$(KDIR)"

tools:	## grtrace and libgrtrace
	$(MAKE) -C tools/grtrace

deb:	## Debian packages, in build/deb
	@scripts/make-deb

dist:	## the sources as an archive, in build
	@scripts/make-dist

patches:	## patches for a kernel's own tree, in build/patches: LINUX=its source, or KERNEL
	@scripts/make-patches $(if $(LINUX),build/patches "$(LINUX)" $(if $(filter command environment,$(origin KDIR)),"$(KDIR)"),-k $(KERNEL) build/patches)

check:	## tests that need no virtual machine: lint and unit tests
	prove $(host_tests)

check-vm:	## all test cases in guests with kernel KERNEL
	prove -v $(selftests)/vm/check :: --kernel $(KERNEL)

run_tests:	## selftests on this machine, as root, with the modules loaded
	@$(MAKE) --no-print-directory -C $(selftests) run_tests

bench:	## cost and throughput, in guests with kernel KERNEL
	@$(if $(benches),,echo "there are no benches yet: 'bench' has no programs")
	@set -e; for bench in $(benches); do \
		echo "== $$bench"; \
		if $$bench -h | grep -q -e --kernel; then $$bench --kernel $(KERNEL); else $$bench; fi; done

lint:	## rules that a machine can check
	@scripts/lint

install: all	## tools, manual pages and libraries to PREFIX, modules for KDIR
	$(MAKE) -C tools/grtrace install PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)"
	$(MAKE) -C "$(KDIR)" M="$(CURDIR)/$(modules_dir)/drivers/gpu/grtrace" \
		$(if $(DESTDIR),INSTALL_MOD_PATH="$(abspath $(DESTDIR))") \
		CONFIG_MODULE_SIG_ALL= modules_install
	$(if $(DESTDIR),,depmod -a $(notdir $(modules_dir)))

clean:	## removes what was built here; downloaded kernels stay in the cache
	rm -rf build out
	@find drivers/gpu/grtrace \( -name '*.o' -o -name '*.ko' -o -name '*.a' -o -name '*.mod' -o -name '*.mod.c' \
		-o -name '.*.cmd' -o -name '.*.d' -o -name Module.symvers -o -name modules.order -o -path '*/compat/generated.*' \) \
		-delete
	$(if $(wildcard tools/grtrace/Makefile),$(MAKE) -C tools/grtrace clean)
	$(if $(wildcard $(selftests)/Makefile),$(MAKE) -C $(selftests) clean)

.PHONY: help all modules tools deb dist patches check check-vm run_tests bench lint install clean
