export { inOneLine } from './in-one-line.js';
export { type Mail, mailer, type SendMail } from './mail.js';
export { mailBody } from './mail-body.js';
export { type MailBounds, oldMails, requireMailable, type SentMails } from './mail-bounds.js';
export { mailSettings } from './mail-settings.js';
export { MAIL_VARIABLES } from './mail-variables.js';
export { isEmail, toComparableEmail, toEmail } from './to-email.js';
