// Store: a value that components read, and draw anew when it changes.
import { useEffect, useState } from './vendor/htm-preact.js';

export function makeStore(value) {
  const readers = new Set();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const reader of [...readers]) reader();
    },
    update(change) {
      this.set({ ...value, ...change });
    },
    use() {
      const [, draw] = useState(0);
      const seen = value;
      useEffect(() => {
        const reader = () => draw((n) => n + 1);
        readers.add(reader);
        if (seen !== value) reader();
        return () => readers.delete(reader);
      }, []);
      return value;
    },
  };
}
