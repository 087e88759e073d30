import { UploadReceivers } from './uploads.service.js';

it('finds the receiver of a purpose, and throws when there is none', () => {
  const receivers = new UploadReceivers();
  const receive = async () => ({});
  receivers.register('DOCUMENT', receive);
  expect(receivers.get('DOCUMENT')).toBe(receive);
  expect(() => receivers.get('SKILL_PACK')).toThrow('Nobody takes in uploads for SKILL_PACK.');
});
