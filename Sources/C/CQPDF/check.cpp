#define POINTERHOLDER_TRANSITION 4
#include "cqpdf_internal.h"

#include <qpdf/Pipeline.hh>
#include <qpdf/QPDFPageObjectHelper.hh>

#include <time.h>

#include <map>
#include <set>
#include <vector>

namespace {

using Handle = QPDFObjectHandle;

// A page that draws more is no page; its operators are read from memory.
constexpr size_t most_content = 64 << 20;
constexpr size_t most_warnings = 1000;

struct OutOfTime {};

// Time of this thread's own work: a busy machine makes no file worse.
class Budget {
  public:
    explicit Budget(double seconds) : end(now() + seconds) {}
    bool is_spent() const { return now() >= end; }
    void spend() const {
        if (is_spent()) {
            throw OutOfTime();
        }
    }

  private:
    double end;

    static double now() {
        timespec time;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
    }
};

// Counts what comes and keeps nothing. qpdf takes what is thrown here for damage, so that it is looked at again behind.
class Pl_Count : public Pipeline {
  public:
    explicit Pl_Count(Budget const &budget) : Pipeline("count", nullptr), budget(budget) {}
    void write(unsigned char const *, size_t size) override {
        count += size;
        budget.spend();
    }
    void finish() override {}
    size_t count = 0;

  private:
    Budget const &budget;
};

class Operators : public Handle::ParserCallbacks {
  public:
    explicit Operators(Budget const &budget) : budget(budget) {}
    void handleObject(Handle, size_t, size_t) override {
        if (++count % 1024 == 0) {
            budget.spend();
        }
    }
    void handleEOF() override {}

  private:
    Budget const &budget;
    size_t count = 0;
};

// Everything that something leads to, one after another: functions that call themselves end early in long chains.
class Look {
  public:
    Look(QPDF &pdf, Budget const &budget) : pdf(pdf), budget(budget) {}
    std::map<QPDFObjGen, size_t> sizes;

    void through(Handle first) {
        waiting.push_back(first);
        while (!waiting.empty()) {
            Handle object = waiting.back();
            waiting.pop_back();
            if (object.isIndirect()) {
                budget.spend();
                if (pdf.numWarnings() > most_warnings) {
                    throw OutOfTime();
                }
                if (!seen.insert(object.getObjGen()).second) {
                    continue;
                }
            }
            if (object.isArray()) {
                for (auto &item : object.getArrayAsVector()) {
                    wait(item);
                }
            } else if (object.isDictionary()) {
                below(object);
            } else if (object.isStream()) {
                below(object.getDict());
                Pl_Count counted(budget);
                object.pipeStreamData(&counted, nullptr, 0, qpdf_dl_all, false, false);
                budget.spend();
                sizes[object.getObjGen()] = counted.count;
            }
        }
    }

  private:
    QPDF &pdf;
    Budget const &budget;
    std::vector<Handle> waiting;
    std::set<QPDFObjGen> seen;

    void below(Handle dictionary) {
        for (auto &key : dictionary.getKeys()) {
            wait(dictionary.getKey(key));
        }
    }

    void wait(Handle item) {
        if (item.isIndirect() || item.isArray() || item.isDictionary()) {
            waiting.push_back(item);
        }
    }
};

} // namespace

int quire_qpdf_check(quire_qpdf *file, double seconds) {
    return guarded(file, 0, [&] {
        Budget budget(seconds);
        try {
            auto &pages = pages_of(file);
            Look look(*file->pdf, budget);
            look.through(file->pdf->getTrailer());
            for (auto &page : pages) {
                size_t size = 0;
                QPDFPageObjectHelper helper(page);
                for (auto &part : helper.getPageContents()) {
                    size += look.sizes[part.getObjGen()];
                }
                if (size > most_content) {
                    file->remarks += "a page draws more than can be looked at\n";
                    continue;
                }
                Operators operators(budget);
                helper.parseContents(&operators);
            }
        } catch (OutOfTime &) {
            file->remarks += "looking through all of it was given up\n";
        }
        return 1;
    });
}
