import { useCallback, useEffect, useRef, useState } from 'react';
import { type ConnectWindowOptions, openConnect } from './connect-window.js';
import { type ConnectLink, type ConnectOutcome } from './gen/models.js';

/** The state of a connect button: `idle` before the first click, `failed` also if the window was closed or blocked. */
export type ConnectState =
  | { status: 'idle' | 'connecting' }
  | { status: 'connected'; outcome: ConnectOutcome }
  | { status: 'failed'; error: Error; outcome?: ConnectOutcome };

/** Requests a connect link from your server, which creates it with `client.connect.createToken(…)`. The hook calls this function after the click. */
export type MakeLink = () => Promise<Pick<ConnectLink, 'connectUrl'>> | Pick<ConnectLink, 'connectUrl'>;

/**
 * Connects an account in a window: `const { connect, state } = useConnect(makeLink)`, and `<button onClick={connect}>`. Make the link before the
 * click if browsers block the window: some allow it only directly in the click. The window closes when the component is removed, or when `connect` is
 * called again.
 */
export function useConnect(makeLink: MakeLink, options?: ConnectWindowOptions) {
  const [state, setState] = useState<ConnectState>({ status: 'idle' });
  const underWay = useRef<AbortController>(null);
  useEffect(() => () => underWay.current?.abort(), []);
  const connect = useCallback(async () => {
    underWay.current?.abort();
    const controller = (underWay.current = new AbortController());
    const signals = options?.signal ? [controller.signal, options.signal] : [controller.signal];
    setState({ status: 'connecting' });
    const ended = await connected(makeLink, { ...options, signal: AbortSignal.any(signals) });
    if (!controller.signal.aborted) setState(ended);
  }, [makeLink, options]);
  return { connect, state };
}

/** Returns the state after the window has ended. */
export async function connected(makeLink: MakeLink, options?: ConnectWindowOptions): Promise<ConnectState> {
  try {
    const outcome = await openConnect(await makeLink(), options);
    if (outcome.status === 'COMPLETED') return { status: 'connected', outcome };
    return { status: 'failed', error: new Error(outcome.error ?? 'The account was not connected'), outcome };
  } catch (error) {
    return { status: 'failed', error: error as Error };
  }
}
