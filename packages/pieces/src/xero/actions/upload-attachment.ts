import { action, expandPath, file } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { invoiceId } from '../properties.js';
import { ACCOUNTING, onlyOf } from '../records.js';

/** Attaches a file to an invoice or bill: https://developer.xero.com/documentation/api/accounting/attachments */
export const uploadAttachment = action({
  displayName: 'Upload attachment',
  description:
    'Attaches a file to an invoice or bill, and returns the attachment. A file of the same name is replaced.',
  category: 'write',
  props: {
    invoice_id: invoiceId,
    file: file('File', { required: true, description: 'The file to attach, at most 10 MB.' }),
  },
  run: async ({ http, input: { invoice_id, file: given } }) => {
    const path = expandPath(`${ACCOUNTING}/Invoices/{invoice_id}/Attachments/{name}`, {
      invoice_id,
      name: given.filename,
    });
    const body = Buffer.from(given.base64, 'base64');
    const answer = await http.json({ method: 'POST', path, body, contentType: 'application/octet-stream' });
    return pickFields(onlyOf(answer, 'Attachments'), same('AttachmentID', 'FileName', 'MimeType', 'ContentLength'));
  },
});
