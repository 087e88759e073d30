/**
 * The notes that the agent's loop puts behind a prompt's last message, in the languages it has. They are known by
 * their whole wording: a question that merely resembles one stays a question.
 */
const stepsLeft =
  /Il reste -?\d+ étape\(s\) et \d+ s\.|-?\d+ step\(s\) and \d+ s are left\.|Quedan -?\d+ paso\(s\) y \d+ s\.|還剩 -?\d+ 個步驟、\d+ 秒。/;
const inBackground =
  /La demande est traitée en arrière-plan : la personne n'attend pas devant son écran\.|The request is worked on in the background: nobody is waiting in front of a screen\.|La petición se atiende en segundo plano: nadie espera delante de la pantalla\.|這項工作正在背景進行，對方並沒有在螢幕前等待。/;
const answerNow =
  /Réponds maintenant à la question, à partir de tout ce qui précède\. Aucun outil n'est plus disponible : n'en appelle pas, et dis franchement ce qui manque\.|Answer the question now, from all that precedes\. No tool is available any more: call none, and say frankly what is missing\.|Responde ahora a la pregunta con todo lo anterior\. Ya no hay herramientas disponibles: no llames a ninguna y di con franqueza lo que falta\.|請根據以上所有內容，現在就回答問題。已經沒有可用的工具，不要再呼叫；缺少什麼就直接說明。/;

const note = new RegExp(
  `(?:^|\\n\\n)(?:${answerNow.source}|(?:(?:${inBackground.source}) )?(?:${stepsLeft.source}))\\s*$`,
);

/** A message without the loop's note at its end. */
export const withoutNote = (text: string): string => text.replace(note, '');

/** Why a question was left without an answer: its asker took it back, or something went wrong. */
export type Unanswered = 'WITHDRAWN' | 'FAILED';

const withdrawn =
  /^(?:Vous avez (?:annulé cette demande|remplacé cette demande par une autre) avant que j'y réponde : je n'y donne pas suite\.|You (?:cancelled this request|replaced this request with another) before I answered it: I am not acting on it\.|(?:Cancelaste esta petición|Sustituiste esta petición por otra) antes de que la respondiera: no le doy curso\.|您在我回答之前(?:取消了這項要求|用另一項要求取代了這項要求)，我不會處理。)$/;
const failed =
  /^(?:Cette demande n'a pas pu aboutir et reste sans réponse\. Je n'y reviens que si vous me le redemandez\.|This request could not be completed and is still unanswered\. I come back to it only if you ask me again\.|Esta petición no se ha podido completar y sigue sin respuesta\. Solo volveré a ella si me lo pides de nuevo\.|這項要求未能完成，尚未得到回答。您再次提出時，我才會處理。)$/;

/** What the loop says in the place of an answer that there is none of; null: it is an answer. */
export function unansweredBy(answer: string): Unanswered | null {
  const text = answer.trim();
  if (withdrawn.test(text)) return 'WITHDRAWN';
  return failed.test(text) ? 'FAILED' : null;
}
