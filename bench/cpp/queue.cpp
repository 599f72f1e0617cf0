// The hold model on std::priority_queue: take the earliest event, put it back a random time later. Same generator, same
// sequence of times and same order (time, sequence) as bench/engine-queue.ts; prints events per second and a checksum.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <vector>

struct Event {
  double time;
  uint64_t sequence;
  int32_t item;
  int32_t stamp;
};
struct Later {
  bool operator()(const Event &a, const Event &b) const {
    return a.time > b.time || (a.time == b.time && a.sequence > b.sequence);
  }
};

static uint32_t state;
static double next() {
  state = state * 1664525u + 1013904223u;
  return state * (1.0 / 4294967296.0);
}

int main(int argc, char **argv) {
  const int held = argc > 1 ? atoi(argv[1]) : 10000;
  const long events = argc > 2 ? atol(argv[2]) : 4000000;
  state = 12345;
  std::vector<Event> store;
  store.reserve(held + 1);
  std::priority_queue<Event, std::vector<Event>, Later> queue(Later(), std::move(store));
  uint64_t sequence = 0;
  for (int i = 0; i < held; i++) queue.push({next(), sequence++, i, 0});
  const auto begin = std::chrono::steady_clock::now();
  uint32_t sum = 0;
  for (long i = 0; i < events; i++) {
    const Event e = queue.top();
    queue.pop();
    sum = sum * 31u + (uint32_t)e.item;
    queue.push({e.time + next(), sequence++, e.item, 0});
  }
  const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  printf("%.0f %u\n", events / s, sum);
}
