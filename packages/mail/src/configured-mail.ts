import { type Config } from '@drawbridge/rpc';
import { mailer, type SendMail } from './mail.js';
import { type MAIL_VARIABLES } from './mail-variables.js';

export interface ConfiguredMail {
  send: SendMail;
  /** Where links lead. */
  baseUrl: string;
}

/** How the operator's mail leaves; undefined: none is sent. */
export function configuredMail(config: Config<typeof MAIL_VARIABLES>): ConfiguredMail | undefined {
  const { SMTP_URL, MAIL_FROM, BASE_URL } = config;
  return SMTP_URL ? { send: mailer(SMTP_URL, MAIL_FROM), baseUrl: BASE_URL } : undefined;
}
