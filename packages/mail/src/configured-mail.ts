import { mailer, type SendMail } from './mail.js';
import { mailSettings } from './mail-settings.js';

export interface ConfiguredMail {
  send: SendMail;
  /** Where links lead. */
  baseUrl: string;
}

/** How the operator's mail leaves; undefined: none is sent. Throws naming what lacks. */
export function configuredMail(config: Parameters<typeof mailSettings>[0]): ConfiguredMail | undefined {
  const settings = mailSettings(config);
  return settings && { send: mailer(settings.smtpUrl, settings.from), baseUrl: settings.baseUrl };
}
