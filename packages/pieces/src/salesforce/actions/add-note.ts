import { action, longText, ProviderError, shortText, textAt } from '@drawbridge/piece-kit';
import { record } from '../properties.js';
import { pathOf } from '../records.js';

/**
 * Creates a note and attaches it to a record:
 * https://developer.salesforce.com/docs/atlas.en-us.object_reference.meta/object_reference/sforce_api_objects_contentnote.htm
 */
export const addNote = action({
  displayName: 'Add note',
  description: 'Creates a note, attaches it to a record, and returns the id of the note.',
  category: 'write',
  adds: true,
  props: {
    record_id: record,
    title: shortText('Title', { required: true, description: 'The title of the note.', minLength: 1, maxLength: 255 }),
    text: longText('Text', { required: true, description: 'Plain text.', minLength: 1, maxLength: 50_000 }),
  },
  run: async ({ http, input: { record_id, title, text } }) => {
    const json = { Title: title, Content: Buffer.from(toHtml(text)).toString('base64') };
    const id = textAt(await http.json({ method: 'POST', path: pathOf('ContentNote'), json }), 'id');
    if (!id) throw new ProviderError('Salesforce returned a note without an id');
    const link = { ContentDocumentId: id, LinkedEntityId: record_id, ShareType: 'V' };
    await http.json({ method: 'POST', path: pathOf('ContentDocumentLink'), json: link });
    return { id };
  },
});

/** A note is HTML, in which `&` and `<` start markup. */
function toHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll('\n', '<br>');
}
