export { oldMails, requireMailable, type SentMails } from './mail-bounds.js';
export { type MailBrand } from './mail-html.js';
export { type ConfiguredMail, configuredMail, MAIL_VARIABLES } from './mail-settings.js';
export { isEmail, toComparableEmail, toEmail } from './to-email.js';
export { plainName } from './plain-name.js';
export { type MailLanguage, mailWithCode, mailWithLink, toMailLanguage, type WrittenMail } from './write-mail.js';
