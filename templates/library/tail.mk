.PHONY: play serve grade pack clean

play: $(LIBRARY)
	$(LIANZI) match connect4:random so:./$(LIBRARY) random --games 2 --time $(TIME)

serve: $(LIBRARY)
	$(LIANZI) serve --player me=so:./$(LIBRARY)

# How many of the public samples to meet; make grade SAMPLES=50 meets all. 样例个数
SAMPLES ?= 10

grade: $(LIBRARY)
	rm -rf graded
	$(LIANZI) grade ./$(LIBRARY) --against builtin --half public --samples $(SAMPLES) --out graded

# The four parts: sources, library, result files, report.  四部分：源代码、策略文件、结果文件、实验报告
FOLDER := $(NUMBER)_$(SYSTEM)
RESULTS := $(wildcard graded/results/*)
REPORT := $(wildcard *.pdf *.doc *.docx)

pack: $(LIBRARY)
	rm -rf $(FOLDER)
	mkdir -p $(FOLDER)/results
	tar cf - $(SOURCES) | tar xf - -C $(FOLDER)
	cp $(LIBRARY) $(FOLDER)/$(NUMBER)$(suffix $(LIBRARY))
	$(if $(RESULTS),cp $(RESULTS) $(FOLDER)/results,@echo "no result files yet: make grade  缺少结果文件")
	$(if $(REPORT),cp $(REPORT) $(FOLDER),@echo "no report yet: put a .pdf, .doc or .docx here  缺少实验报告")
	tar czf $(FOLDER).tar.gz $(FOLDER)

clean:
	rm -rf $(LIBRARY) $(FOLDER) $(FOLDER).tar.gz $(BUILT)
