export { oldMails, requireMailable, type SentMails } from './mail-bounds.js';
export { mailBody, mailCodeBody, plainName } from './mail-body.js';
export { type ConfiguredMail, configuredMail, MAIL_VARIABLES } from './mail-settings.js';
export { isEmail, toComparableEmail, toEmail } from './to-email.js';
