export { type ConfiguredMail, configuredMail } from './configured-mail.js';
export type { Mail, SendMail } from './mail.js';
export { mailBody, mailCodeBody } from './mail-body.js';
export { type MailBounds, oldMails, requireMailable, type SentMails } from './mail-bounds.js';
export { MAIL_VARIABLES } from './mail-variables.js';
export { plainName } from './plain-name.js';
export { isEmail, toComparableEmail, toEmail } from './to-email.js';
