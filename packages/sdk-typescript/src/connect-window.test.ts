import { createRequire } from 'node:module';
import * as React from 'react';
import { ConnectWindowError, openConnect } from './connect-window.js';
import { connected, useConnect } from './react.js';

// react-dom has no types of its own.
const { renderToString } = createRequire(import.meta.url)('react-dom/server');

const LINK = { connectUrl: 'https://drawbridge.example/connect?token=cst_1' };
const OUTCOME = {
  status: 'COMPLETED' as const,
  connectionId: 'c1',
  integrationName: 'github',
  externalId: 'github',
  error: null,
};
const MESSAGE = { type: 'svc-connect-result', ...OUTCOME };

/** A fake of the members of a browser's `window` that the code under test uses. */
class FakeWindow extends EventTarget {
  location = { origin: 'https://app.example' };
  popup: { closed: boolean; close(): void } | null = { closed: false, close: () => (this.popup!.closed = true) };
  opened: string[] = [];
  open(url: URL): unknown {
    this.opened.push(url.href);
    return this.popup;
  }
  post(data: unknown, { origin = 'https://drawbridge.example', source = this.popup as unknown } = {}): void {
    this.dispatchEvent(Object.assign(new Event('message'), { origin, source, data }));
  }
}

let page: FakeWindow;
beforeEach(() => {
  page = new FakeWindow();
  Object.assign(globalThis, { window: page });
});
afterEach(() => void delete (globalThis as { window?: unknown }).window);

describe('openConnect', () => {
  it('opens the page for this origin, and resolves with the outcome', async () => {
    const outcome = openConnect(LINK);
    page.post(MESSAGE);
    expect(await outcome).toEqual(OUTCOME);
    expect(page.opened).toEqual(['https://drawbridge.example/connect?token=cst_1&origin=https%3A%2F%2Fapp.example']);
  });

  it('trusts no message of another origin, of another window or of another type', async () => {
    const outcome = openConnect(LINK);
    page.post({ ...MESSAGE, connectionId: 'forged' }, { origin: 'https://evil.example' });
    page.post({ ...MESSAGE, connectionId: 'forged' }, { source: {} });
    page.post('hello');
    page.post(null);
    page.post(MESSAGE);
    expect((await outcome).connectionId).toBe('c1');
  });

  it('fails if the browser blocks the window, or the person closes it', async () => {
    const closed = openConnect(LINK);
    page.popup!.close();
    await expect(closed).rejects.toMatchObject({ name: 'ConnectWindowError', reason: 'closed' });
    page.popup = null;
    await expect(openConnect(LINK)).rejects.toMatchObject({ reason: 'blocked' });
  });

  it('asks the server where no message can arrive', async () => {
    const answers = [Promise.reject(new Error('offline')), { ...OUTCOME, status: 'PENDING' as const }, OUTCOME];
    answers.forEach((answer) => void Promise.resolve(answer).catch(() => undefined));
    const outcome = openConnect(LINK, { poll: async () => answers.shift()! });
    page.popup!.close();
    expect(await outcome).toEqual(OUTCOME);
    expect(answers).toEqual([]);
  });

  describe('with poll', () => {
    beforeEach(() => void import.meta.jest.useFakeTimers());
    afterEach(() => void import.meta.jest.useRealTimers());

    it('stops asking half an hour after the window was closed', async () => {
      let polls = 0;
      const pending = { ...OUTCOME, status: 'PENDING' as const };
      const outcome = openConnect(LINK, { poll: async () => (polls++, pending) });
      const closed = expect(outcome).rejects.toMatchObject({ reason: 'closed' });
      page.popup!.close();
      await import.meta.jest.advanceTimersByTimeAsync(40 * 60_000);
      await closed;
      const before = polls;
      await import.meta.jest.advanceTimersByTimeAsync(60_000);
      expect(polls).toBe(before);
    });

    it('sends one question at a time', async () => {
      let polls = 0;
      const controller = new AbortController();
      const outcome = openConnect(LINK, {
        signal: controller.signal,
        poll: () => (polls++, new Promise(() => undefined)),
      });
      await import.meta.jest.advanceTimersByTimeAsync(60_000);
      expect(polls).toBe(1);
      controller.abort();
      await expect(outcome).rejects.toThrow();
    });
  });

  it('closes the window when its signal is aborted', async () => {
    const controller = new AbortController();
    const outcome = openConnect(LINK, { signal: controller.signal });
    controller.abort(new Error('The user left'));
    await expect(outcome).rejects.toThrow('The user left');
    expect(page.popup!.closed).toBe(true);
    await expect(openConnect(LINK, { signal: controller.signal })).rejects.toThrow('The user left');
    expect(page.opened).toHaveLength(1);
  });
});

/** Runs hooks as React does in a browser, because the tests have no DOM in which React could render a component. */
function hooks() {
  const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as Record<
    string,
    { H: unknown }
  >;
  const states: unknown[] = [];
  const ends: (() => void)[] = [];
  internals!.H = {
    useState: (first: unknown) => [first, (state: unknown) => void states.push(state)],
    useRef: (first: unknown) => ({ current: first }),
    useCallback: (call: unknown) => call,
    useEffect: (begin: () => () => void) => void ends.push(begin()),
  };
  const { connect } = useConnect(() => LINK);
  internals!.H = null;
  return { connect, states, unmount: () => ends.forEach((end) => end()) };
}

describe('useConnect', () => {
  it('closes the window and forgets it when the component is removed', async () => {
    const { connect, states, unmount } = hooks();
    const ended = connect();
    await Promise.resolve();
    const popup = page.popup!;
    unmount();
    expect(popup.closed).toBe(true);
    await ended;
    expect(states).toEqual([{ status: 'connecting' }]);
  });

  it('ends the wait for an earlier window at the second click', async () => {
    const { connect, states } = hooks();
    const first = connect();
    await Promise.resolve();
    page.popup = { closed: false, close: () => undefined };
    const second = connect();
    await first;
    page.post(MESSAGE);
    await second;
    const connecting = { status: 'connecting' };
    expect(states).toEqual([connecting, connecting, { status: 'connected', outcome: OUTCOME }]);
  });

  it('is idle until the click', () => {
    const Button = () => React.createElement('button', null, useConnect(() => LINK).state.status);
    expect(renderToString(React.createElement(Button))).toBe('<button>idle</button>');
  });

  it('ends connected, or failed with the reason', async () => {
    const ending = async (data: object): Promise<unknown> => {
      const state = connected(() => LINK);
      await Promise.resolve();
      page.post(data);
      return state;
    };
    expect(await ending(MESSAGE)).toEqual({ status: 'connected', outcome: OUTCOME });
    const failed = { ...OUTCOME, status: 'FAILED', connectionId: null, error: 'access_denied: no' };
    expect(await ending({ ...MESSAGE, ...failed })).toEqual({
      status: 'failed',
      error: new Error('access_denied: no'),
      outcome: failed,
    });
    page.popup = null;
    expect(await connected(async () => LINK)).toEqual({ status: 'failed', error: expect.any(ConnectWindowError) });
  });
});
