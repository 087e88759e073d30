import { onThread, tellingThreadTime } from './thread-time.js';

let now = 0;
function work(): string {
  now += 20;
  return 'done';
}

beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => now));
afterEach(() => vi.restoreAllMocks());

it('tells whoever it is done for, also after something was waited for', async () => {
  const [ada, ben] = [vi.fn<(ms: number) => void>(), vi.fn<(ms: number) => void>()];
  const late = async (): Promise<string> => {
    await Promise.resolve();
    return onThread(work);
  };
  expect(await Promise.all([tellingThreadTime(ada, late), tellingThreadTime(ben, late)])).toEqual([
    'done',
    'done',
  ]);
  expect([ada.mock.calls, ben.mock.calls]).toEqual([[[20]], [[20]]]);
});

it('tells of work inside of other work once', () => {
  const tell = vi.fn<(ms: number) => void>();
  tellingThreadTime(tell, () => onThread(() => onThread(work) + work()));
  expect(tell.mock.calls).toEqual([[40]]);
});

it('tells of work that fails, and does what is nobody’s', () => {
  const tell = vi.fn<(ms: number) => void>();
  const fail = (): never => {
    work();
    throw new Error('No');
  };
  expect(() => tellingThreadTime(tell, () => onThread(fail))).toThrow('No');
  expect(tell.mock.calls).toEqual([[20]]);
  expect(onThread(work)).toBe('done');
});
