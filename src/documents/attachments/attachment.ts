import type { DocumentView } from '../document-view.js';

/** A file of one conversation, as its member sees it. */
export interface Attachment extends Omit<DocumentView, 'attachmentId'> {
  /** Its id as an attachment. */
  id: string;
  documentId: string;
}

export function attachmentOf({ attachmentId, ...view }: DocumentView): Attachment {
  return { ...view, id: attachmentId ?? view.id, documentId: view.id };
}
