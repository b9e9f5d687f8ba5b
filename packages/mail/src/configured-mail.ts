import { type Config } from '@drawbridge/rpc';
import { mailer, type SendMail } from './mail.js';
import { type MAIL_VARIABLES } from './mail-variables.js';

export interface ConfiguredMail {
  send: SendMail;
  /** Base of the links. */
  baseUrl: string;
}

/** Returns the operator's mail configuration, or undefined if no mail is sent. */
export function configuredMail(config: Config<typeof MAIL_VARIABLES>): ConfiguredMail | undefined {
  const { SMTP_URL, MAIL_FROM, BASE_URL } = config;
  return SMTP_URL ? { send: mailer(SMTP_URL, MAIL_FROM), baseUrl: BASE_URL } : undefined;
}
