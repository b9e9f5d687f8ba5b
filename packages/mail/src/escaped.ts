const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Returns a text that is safe in HTML, also in attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => ENTITIES[mark]!);
}
