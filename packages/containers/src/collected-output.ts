import { LIMITS } from './limits.js';
import type { RunRequest } from './run.js';

/** The output and the files that the frames of one run contain. */
export class Collected {
  readonly bytes = { stdout: [] as Buffer[], stderr: [] as Buffer[], files: [] as Buffer[], deleted: [] as Buffer[] };
  readonly #left = { stdout: LIMITS.outputBytes as number, stderr: LIMITS.outputBytes as number };
  readonly #decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };

  constructor(private readonly onOutput: RunRequest['onOutput']) {}

  take(type: 'stdout' | 'stderr' | 'files' | 'deleted', bytes: Buffer): void {
    if (type === 'files' || type === 'deleted') return void this.bytes[type].push(bytes);
    const kept = bytes.subarray(0, this.#left[type]);
    this.#left[type] -= kept.length;
    this.bytes[type].push(kept);
    if (kept.length > 0) this.onOutput?.({ stream: type, text: this.#decoders[type].decode(kept, { stream: true }) });
  }

  text(stream: 'stdout' | 'stderr'): string {
    return Buffer.concat(this.bytes[stream]).toString();
  }
}
