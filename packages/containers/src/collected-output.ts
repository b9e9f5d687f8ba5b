import { LIMITS } from './limits.js';
import type { RunRequest } from './run.js';

/** The output and the files that the frames of one run contain. */
export class Collected {
  readonly bytes = { files: [] as Buffer[], deleted: [] as Buffer[] };
  readonly #output = { stdout: new Output(), stderr: new Output() };
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };

  constructor(private readonly onOutput: RunRequest['onOutput']) {}

  take(type: 'stdout' | 'stderr' | 'files' | 'deleted', bytes: Buffer): void {
    if (type === 'files' || type === 'deleted') return void this.bytes[type].push(bytes);
    const kept = this.#output[type].take(bytes);
    if (kept.length > 0) this.onOutput?.({ stream: type, text: this.#decoders[type].decode(kept, { stream: true }) });
  }

  text(stream: 'stdout' | 'stderr'): string {
    return this.#output[stream].text();
  }
}

/** A buffer of the maximum size, because a program can write each byte separately, and a list of them would need far more memory. */
class Output {
  readonly #bytes = Buffer.alloc(LIMITS.outputBytes);
  #size = 0;

  /** Returns the part of the bytes that is within the limit. */
  take(bytes: Buffer): Buffer {
    const count = bytes.copy(this.#bytes, this.#size);
    this.#size += count;
    return bytes.subarray(0, count);
  }

  text(): string {
    return this.#bytes.toString('utf8', 0, this.#size);
  }
}
