/**
 * The body of a refusal as the SDK reads it: of an object it hands on only what stands under `error`, and all else is
 * lost. Where nothing stands there, the whole is put there; words and pages it hands on by itself.
 */
export function underError(text: string): string {
  const body = parsed(text);
  if (body === undefined || body === null || typeof body === 'number') return text;
  const isThere = typeof body === 'object' && 'error' in body && Boolean(body.error);
  return isThere ? text : JSON.stringify({ error: body });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
