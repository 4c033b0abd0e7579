// A match against a level of okgin, through the engine process `okgin serve`:
//     node match.mjs [LEVEL] [--auto]
// This program shuffles, deals and keeps the cards. What may be done and what it scores the engine
// says: it follows the match once from each seat, and is told of a seat's cards only there.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createInterface } from 'node:readline';

const words = process.argv.slice(2);
const auto = words.includes('--auto'); // then a beginner plays for you
const level = words.find((word) => !word.startsWith('-')) ?? 'club';

const engine = spawn('okgin', ['serve'], { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();
let asked = 0;
const ask = (type, fields) =>
  new Promise((resolve, reject) => {
    waiting.set((asked += 1), { resolve, reject });
    engine.stdin.write(JSON.stringify({ id: asked, type, ...fields }) + '\n');
  });
createInterface({ input: engine.stdout }).on('line', (line) => {
  const answer = JSON.parse(line);
  const { resolve, reject } = waiting.get(answer.id);
  waiting.delete(answer.id);
  answer.type === 'error' ? reject(new Error(answer.message)) : resolve(answer);
});
const ended = (why) => waiting.forEach(({ reject }) => reject(new Error(`the engine: ${why}`)));
engine.on('error', (error) => ended(error.message)).on('exit', (code) => ended(`exit ${code}`));
engine.stdin.on('error', () => {}); // what is written too late; `ended` has told of it

const typed = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const played = async (match, by) => (await ask('act', { match, level: by, seed: asked })).action;
async function yours({ match, deal: { hand, pile, limit, legal } }) {
  if (auto) return played(match, 'beginner');
  console.log(`\n${hand.join(' ')}   the pile: ${pile.at(-1) ?? 'empty'}   the limit: ${limit}`);
  for (;;) {
    console.log(legal.map((action, i) => `${i + 1} ${action}`).join('   '));
    const { value, done } = await typed.next();
    if (done) throw new Error('the input has ended');
    if (legal[value - 1]) return legal[value - 1];
  }
}

let seats = await Promise.all([0, 1].map((seat) => ask('new_match', { seat }))); // you are seat 0
async function tell(event, own) {
  const both = seats.map(({ match }, seat) => ask('event', { match, event, ...own(seat) }));
  seats = await Promise.all(both);
}
while (!seats[0].over) {
  const deck = [...'SCDH'].flatMap((suit) => [...'A23456789TJQK'].map((rank) => rank + suit));
  for (let i = 51; i > 0; i--) deck.push(...deck.splice(randomInt(i + 1), 1)); // a shuffle
  const hands = [deck.splice(0, 10), deck.splice(0, 10)];
  const upcard = deck.shift();
  const dealer = seats[0].dealer ?? randomInt(2);
  await tell('deal', (seat) => ({ hand: hands[seat], upcard, dealer }));
  while (seats[0].deal) {
    const mover = seats[0].deal.to_move;
    const action = mover ? await played(seats[1].match, level) : await yours(seats[0]);
    const [, kind, card] = action.match(/^(\w+)(?: (\w+))?/);
    const drawn = kind === 'draw' ? deck.shift() : kind === 'take' ? card : null;
    if (drawn) hands[mover].push(drawn);
    else hands[mover] = hands[mover].filter((held) => held !== card);
    console.log(`${mover ? level : 'you'}: ${action}`);
    await tell(action, (seat) =>
      kind === 'draw' ? (seat === mover ? { card: drawn } : {})
      : kind === 'knock' || kind === 'gin' ? { shown: hands[1 - seat] } : {});
  }
  const { kind, winner, points } = seats[0].result;
  console.log(`\n${kind}: ${winner === null ? 'nobody' : winner ? level : 'you'} +${points}`);
  console.log(`score: you ${seats[0].scores[0]}, ${level} ${seats[0].scores[1]}\n`);
}
console.log(`${seats[0].final.winner ? level : 'you'} won the match`);
engine.stdin.end();
typed.return();
