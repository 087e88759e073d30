import { UploadReceivers } from './upload-receivers.js';

it('finds who takes in what, and says so when nobody does', () => {
  const receivers = new UploadReceivers();
  const receive = async () => ({});
  receivers.register('DOCUMENT', receive);
  expect(receivers.get('DOCUMENT')).toBe(receive);
  expect(() => receivers.get('SKILL_PACK')).toThrow('Nobody takes in uploads for SKILL_PACK.');
});
