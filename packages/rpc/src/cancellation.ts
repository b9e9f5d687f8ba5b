/** The members of an AbortSignal with which code observes that a call or request was canceled. */
export interface Leaving {
  readonly aborted: boolean;
  /** The reason that was passed to `abort`. */
  readonly reason: unknown;
  /** `listener` must not throw. It is not called if the cancellation happened before. */
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Cancels work like an AbortController, and can be observed like its signal. The signal is created on first use, because a signal with a listener
 * costs several microseconds, each action makes four calls, and few calls need a signal.
 */
export class Cancellation implements Leaving {
  aborted = false;
  reason: unknown;
  private readonly listeners = new Set<() => void>();
  private controller: AbortController | undefined;

  get signal(): AbortSignal {
    const controller = (this.controller ??= new AbortController());
    if (this.aborted) controller.abort(this.reason);
    return controller.signal;
  }

  /** Aborts the signal, then calls the listeners. Has no effect if it was called before. */
  abort(reason?: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.controller?.abort(reason);
    for (const listener of this.listeners) listener();
    this.listeners.clear();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.aborted) this.listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.listeners.delete(listener);
  }
}
