/** One end of the channel between a process and a process that it started: `process`, or a worker of `node:cluster`. */
interface End {
  send?(message: unknown, handle: undefined, options: undefined, done: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

/** Requests by name, each with the types of its content and its response. */
type Questions = Record<string, { content: unknown; answer: unknown }>;

type Handlers<Q extends Questions> = {
  [Name in keyof Q]: (content: Q[Name]['content']) => Promise<Q[Name]['answer']> | Q[Name]['answer'];
};

type Message =
  { id: number; name: string; content: unknown } | { id: number; answer: unknown } | { id: number; failure: string };

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** Sends requests to the other end (`Out`), and responds to its requests (`In`). */
export class Channel<Out extends Questions, In extends Questions> {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  constructor(
    private readonly end: End,
    private readonly handlers: Handlers<In>,
  ) {
    end.on('message', (message) => this.receive(message as Message));
    end.once('disconnect', () => {
      for (const id of this.waiting.keys()) this.fail(id, 'the other process has ended');
    });
  }

  /** Sends a request. Rejects if the other end fails to respond or disconnects. */
  ask<Name extends keyof Out & string>(name: Name, content: Out[Name]['content']): Promise<Out[Name]['answer']> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ id, name, content });
    });
  }

  private receive(message: Message): void {
    if ('name' in message) return void this.answer(message);
    if ('failure' in message) return this.fail(message.id, message.failure);
    this.waiting.get(message.id)?.resolve(message.answer);
    this.waiting.delete(message.id);
  }

  private async answer({ id, name, content }: { id: number; name: string; content: unknown }): Promise<void> {
    try {
      this.send({ id, answer: await this.handlers[name]!(content) });
    } catch (error) {
      this.send({ id, failure: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Sends a message. If the channel is closed, a request rejects. A response is dropped, because it no longer has a receiver. */
  private send(message: Message): void {
    this.end.send?.(message, undefined, undefined, (error) => {
      if (error && 'name' in message) this.fail(message.id, error.message);
    });
  }

  private fail(id: number, reason: string): void {
    this.waiting.get(id)?.reject(new Error(reason));
    this.waiting.delete(id);
  }
}
