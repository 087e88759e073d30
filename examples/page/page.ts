import { createPalabre, type TurnState } from '@palabre/client';

function element(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`There is no ${selector}.`);
  return found;
}

// Where the page comes from the server itself, and a cookie signs in, neither is needed.
const { url, token } = document.documentElement.dataset;
const palabre = createPalabre({ ...(url && { url }), token: token ?? null });

function show({ status, detail, text }: TurnState): void {
  element('#status').textContent = [status, detail].filter(Boolean).join(': ');
  element('output').textContent = text;
}

element('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const question = element('[name=question]') as HTMLInputElement;
  ask(question.value).catch((error: unknown) => {
    element('#status').textContent = String(error);
  });
});

async function ask(message: string): Promise<void> {
  const turn = palabre.ask({ assistantKey: 'mefali', message });
  const stop = element('#stop');
  stop.removeAttribute('disabled');
  stop.onclick = () => void turn.cancel();
  for await (const _event of turn) show(turn.state);
  stop.setAttribute('disabled', '');
}
