/** The same values in an array with more room. */
export function roomier<T extends Int32Array | Float64Array | Uint8Array>(old: T, made: T): T {
  made.set(old);
  return made;
}

/** Twice the room. */
export const doubled = (old: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> =>
  roomier(old, new Int32Array(2 * old.length));

/** Typed arrays that grow, for schedules of a million operations. */
export class Ints {
  private store = new Int32Array(64);
  length = 0;

  push(value: number): void {
    if (this.length === this.store.length) {
      const larger = new Int32Array(this.length * 2);
      larger.set(this.store);
      this.store = larger;
    }
    this.store[this.length++] = value;
  }

  at(index: number): number {
    return this.store[index]!;
  }

  done(): Int32Array {
    return this.store.slice(0, this.length);
  }
}

export class Floats {
  private store = new Float64Array(64);
  length = 0;

  push(value: number): void {
    if (this.length === this.store.length) {
      const larger = new Float64Array(this.length * 2);
      larger.set(this.store);
      this.store = larger;
    }
    this.store[this.length++] = value;
  }

  at(index: number): number {
    return this.store[index]!;
  }

  set(index: number, value: number): void {
    this.store[index] = value;
  }

  done(): Float64Array {
    return this.store.slice(0, this.length);
  }
}
