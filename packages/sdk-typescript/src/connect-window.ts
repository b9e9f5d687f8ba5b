import { type ConnectLink, type ConnectOutcome } from './gen/models.js';

/** The person closed the window before the account was connected, or the browser blocked it. */
export class ConnectWindowError extends Error {
  override readonly name = 'ConnectWindowError';

  constructor(
    message: string,
    readonly reason: 'blocked' | 'closed',
  ) {
    super(message);
  }
}

export interface ConnectWindowOptions {
  /**
   * Requests the result from your server, which calls `client.connect.pollSession({ token })`. The pages of some providers separate the window from
   * the page that opened it. No message can then arrive, and the window appears to be closed although it is open. With `poll` the result still
   * arrives, and a window that appears to be closed ends the wait only after 30 minutes.
   */
  poll?(): Promise<ConnectOutcome>;
  /** Closes the window and ends the wait. */
  signal?: AbortSignal;
  /** The width of the window, in pixels. Defaults to 480; `height` defaults to 720. */
  width?: number;
  height?: number;
}

/** The message that the page of Drawbridge posts to the page that opened it. */
interface ResultMessage extends ConnectOutcome {
  type: 'svc-connect-result';
}

/** The part of a message event that is used. */
interface Message {
  origin: string;
  source: unknown;
  data: { type?: unknown } | null | undefined;
}

/** The members of a browser's `window` that this module uses. */
interface Page {
  location: { origin: string };
  open(url: URL, name: string, features: string): { closed: boolean; close(): void } | null;
  addEventListener(type: 'message', listener: (message: Message) => void): void;
  removeEventListener(type: 'message', listener: (message: Message) => void): void;
}

const LOOK_MS = 500;
const POLL_MS = 2_000;
/** How long the wait continues after the window appears to be closed, because a provider may only have separated it from this page. */
const CLOSED_MS = 30 * 60_000;

/**
 * Opens the page on which a person connects an account, and resolves with the result: `status` is COMPLETED or FAILED. Rejects with
 * ConnectWindowError if the window is blocked or closed. Call it in the handler of a click, because browsers block other windows. Your server creates
 * the link with
 * `client.connect.createToken(…)`.
 */
export function openConnect(
  link: Pick<ConnectLink, 'connectUrl'>,
  options: ConnectWindowOptions = {},
): Promise<ConnectOutcome> {
  const { window } = globalThis as unknown as { window: Page };
  const url = new URL(link.connectUrl);
  const { width = 480, height = 720, signal, poll } = options;
  if (signal?.aborted) return Promise.reject(signal.reason);
  url.searchParams.set('origin', window.location.origin);
  const popup = window.open(url, 'drawbridge-connect', `popup,width=${width},height=${height}`);
  if (!popup)
    return Promise.reject(new ConnectWindowError('The browser blocked the window: open it in a click', 'blocked'));

  return new Promise<ConnectOutcome>((resolve, reject) => {
    const hear = ({ origin, source, data }: Message): void => {
      if (origin !== url.origin || source !== popup || data?.type !== 'svc-connect-result') return;
      end(() => resolve(toOutcome(data as ResultMessage)));
    };
    const close = (): void => end(() => reject(new ConnectWindowError('The window was closed', 'closed')));
    const look = watching(popup, poll ? CLOSED_MS : 0, close);
    const ask = poll && asking(poll, (outcome) => end(() => resolve(outcome)));
    const stop = (): void => {
      popup.close();
      end(() => reject(signal?.reason));
    };
    const timers = [setInterval(look, LOOK_MS), ...(ask ? [setInterval(ask, POLL_MS)] : [])];
    const end = (settle: () => void): void => {
      timers.forEach(clearInterval);
      window.removeEventListener('message', hear);
      signal?.removeEventListener('abort', stop);
      settle();
    };
    window.addEventListener('message', hear);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Returns a function that calls `end` when the window has been closed for longer than `patienceMs`. */
function watching(popup: { closed: boolean }, patienceMs: number, end: () => void): () => void {
  let closedAt: number | undefined;
  return () => {
    if (!popup.closed) return;
    closedAt ??= Date.now();
    if (Date.now() - closedAt >= patienceMs) end();
  };
}

/** Returns a function that polls, unless an earlier poll still runs, and that calls `end` with a final outcome. */
function asking(poll: () => Promise<ConnectOutcome>, end: (outcome: ConnectOutcome) => void): () => Promise<void> {
  let isUnderWay = false;
  return async () => {
    if (isUnderWay) return;
    isUnderWay = true;
    const outcome = await poll().catch(() => undefined);
    isUnderWay = false;
    if (outcome?.status === 'COMPLETED' || outcome?.status === 'FAILED') end(outcome);
  };
}

function toOutcome({ status, connectionId, integrationName, externalId, error }: ResultMessage): ConnectOutcome {
  return { status, connectionId, integrationName, externalId, error };
}
