import type { Viewer } from '../../companies/auth/viewer.js';
import type { FileLink } from '../../companies/files/downloads.service.js';
import type { DocumentContents } from '../document-contents.service.js';
import type { DocumentsService } from '../documents.service.js';
import type { Attachment, Attachments } from './attachments.service.js';
import { AttachmentResolver } from './attachment.resolver.js';
import type { DocumentSharing } from './document-sharing.service.js';

const viewer = { id: 'ada' } as Viewer;

it('tells the expiry of the link that it gives, also when a second passes between the two', () => {
  let seconds = 0;
  const contents = {
    linkTo: (_: Viewer, { id }: Attachment): FileLink => {
      seconds += 1;
      return { url: `https://palabre.example/${id}/${seconds}`, expiresAt: new Date(seconds * 1000) };
    },
  } as unknown as DocumentContents;
  const resolver = new AttachmentResolver(
    {} as Attachments,
    {} as DocumentsService,
    contents,
    {} as DocumentSharing,
  );
  const attachment = { id: 'attachment', documentId: 'document' } as Attachment;
  expect(resolver.url(viewer, attachment)).toBe('https://palabre.example/document/1');
  expect(resolver.urlExpiresAt(viewer, attachment)).toEqual(new Date(1000));
});
