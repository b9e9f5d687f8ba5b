export interface Fakes {
  ports: Record<
    | 'provider'
    | 'asked'
    | 'polled'
    | 'beside'
    | 'vendors'
    | 'keys'
    | 'acmeAccount'
    | 'betaAccount'
    | 'evilAccount'
    | 'receiver'
    | 'hooks',
    number
  >;
  env: Record<string, string>;
}

export const CLIENT_ID: string;
export const CLIENT_SECRET: string;
export const SLACK_SECRET: string;

export function newFakes(): Promise<Fakes>;
