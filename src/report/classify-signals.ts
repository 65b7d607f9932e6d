import { letter } from './classify-words.ts';

/** A sign in a text. It counts only where nothing right before or right behind it takes it back. */
export interface Signal {
  words: RegExp;
  before: RegExp;
  after: RegExp;
}

const any = (...parts: readonly string[]): string => parts.join('|');
/** So many English words may stand between. */
const within = (most: number): string => String.raw`(?:\s+[\w'’%-]+){0,${most}}\s*$`;
const withinPhrase = String.raw`(?:\s+(?!and\b|then\b)[\w'’-]+){0,3}\s*$`;
/** A whole word, and no part of a hyphenated one. */
const whole = (words: string): string => `(?<!${letter}-?|_)(?:${words})(?!-?${letter}|_)`;
const before = (...parts: readonly string[]): RegExp => new RegExp(any(...parts), 'iu');
const after = (...parts: readonly string[]): RegExp => new RegExp(`^(?:${any(...parts)})`, 'iu');
const words = (...parts: readonly string[]): RegExp => new RegExp(any(...parts), 'giu');

const not = String.raw`(?:\b(?:not(?!\s+only\b)|never|no|none|nothing|cannot|without|neither|hardly|far from|yet to)\b|n['’]t\b)`;
/** 不仅 and 无误 take nothing back. */
const notZh = '(?:未|没有?|不(?![仅但止光])|无(?![误缝需])|难以|まだ|未だ)';
const checks = String.raw`\b(?:tests?|checks?|builds?|CI)`;
const none = String.raw`(?:(?:0|zero|零)(?![\d.])|none|无|没有|なし)`;
/** Nothing more is said: "blocked: none" takes a block back, "blocked: none of the keys work" and 阻塞：没有权限 do not. */
const noneAtAll = String.raw`${none}\s*(?:[,.;!。，；！)]|了|$)`;
/** What may stand between a Chinese "not" and what it denies: 没有遇到任何阻塞. */
const betweenZh =
  '(?:任何|什么|遇到|遭遇|出现|发现|发生|存在|产生|有|再|被|其他|其它|别的|明显|新的?|一个|测试|用例|的){0,4}';

/** "80% done", "will be done", "完成后", "完了していません" and their like are not done. */
export const done: Signal = {
  words: words(
    whole('done|completed|finished|verified'),
    String.raw`\b(?:is|are|now|all|'s) complete\b`,
    String.raw`(?:测试|验证|验收|检查|评审|复核|编译|构建|用例|全部|均|都|已经?|\bCI|\btests?)\s{0,4}(?:全部|均|都|已)?通过`,
    '完成|完了|搞定|做完|終わりました|終わった|終了しました|できました|出来ました',
  ),
  before: before(
    not + within(3),
    String.raw`\b(?:almost|nearly|partially|partly|half|mostly|will|should|must|can|could|may|might|would|being|getting|needs?|expected?|hope|until)\b${within(2)}`,
    String.raw`\b(?:if|when|once|unless|after (?:it|this|that))\b${within(5)}`,
    String.raw`\bto (?:be |get |have )?$`,
    String.raw`(?<![\d.])(?!100)\d{1,3}(?:\.\d+)?\s*%\s*(?:is |are |已)?$`,
    `${notZh}[^已经]{0,3}$`,
    '(?:部分|基本上?|大致|大体|几乎|差不多|接近|将近|一半|半分|ほぼ|一部|もうすぐ).{0,3}$',
    '(?:预计|(?<![试目作])计划|准备|即将|将要?|争取|尽快|如果|一旦|等[待到我他她你]|目标是)[^已]{0,4}$',
    '(?:会|(?<![功性智职])能|(?<![纪摘概提])要|需|(?<![响对适反])应|(?<![认许])可以?|待|快|再|才|为了|(?<![申邀])请|继续|正在|着手)$',
  ),
  after: after(
    String.raw`\s*(?:so far|soon|tomorrow|later|by (?:mon|tue|wed|thu|fri|sat|sun|tomorrow|next|end|eod)|with (?:the )?(?:first|part|step|phase))`,
    String.raw`(?:了|度|率|约|大约|about|\s|:|~){0,4}(?!100)\d{1,3}(?:\.\d+)?\s*%`,
    '后(?![端台续])|之后|以后|前(?![端台面])|之前|以前|不了|度|率|时间|情况|标准|了?[吗么]|了?一半|了?一?部分',
    'していな|していません|してな|してません|できな|できません|しな|しません|させ(?!まし|た|て)|すれば|する|したら|次第|予定|見込|まで|後',
  ),
};

export const blocked: Signal = {
  words: words(
    whole('blocked|blocker|stuck'),
    String.raw`\b(?:cannot|can['’]t|can not|unable to|could not|couldn['’]t) (?:proceed|continue|go on|move on|finish|complete|make progress)\b`,
    '阻塞|卡住|卡在|被卡|受阻|(?:无法|不能|没法)(?:继续|进行|完成|推进|执行|开展)',
    'ブロック(?:され|中|です|:|。|$)|行き詰ま|詰まって|(?:進め|続け)られ(?:ない|ません)',
  ),
  before: before(
    String.raw`(?:${not}|\b(?:was|were|been|longer|zero|0)\b)${within(2)}`,
    String.raw`\b(?:fixed|resolved|solved|removed|earlier|previously)\b${withinPhrase}`,
    String.raw`(?:${notZh}${betweenZh}|不再被?|非|0\s*个?)$`,
    '(?:修复|解决|解除|消除|排除|避免|之前|此前|曾经?|解消).{0,2}$',
  ),
  after: after(
    String.raw`\s*(?:tasks?|states?|status|list|items?|users?|requests?|threads?)\b`,
    String.raw`s?\s*:?\s*(?:${noneAtAll}|no\W{0,3}$)`,
    '的|任务|队列|状态|列表|原因|功能|式|项|(?:てい|では)?(?:ない|ません|なく|あり)|.{0,6}(?:解除|解决|消除|排除|解消)',
    '(?:现在|目前)?(?:已经?)?(?:不存在|不在|没有了?$)',
  ),
};

/** Weaker than the others: something went wrong, which may be mended since. */
export const failed: Signal = {
  words: words(
    whole('failed|fails|failing|failures?'),
    String.raw`\b(?:cannot|can['’]t|unable to)\b`,
    '失败|报错|无法|失敗|できません|できない',
  ),
  before: before(
    String.raw`(?:${not}|\b(?:zero|0)\b)${within(2)}`,
    String.raw`\b(?:fix(?:ed|ing)?|resolv(?:ed|ing)|solv(?:ed|ing)|investigating|debugging|looking into|retrying|earlier|previously)\b${withinPhrase}`,
    String.raw`(?:${notZh}${betweenZh}|零|(?<![\d.])0\s*[个项次条件]?(?:用例|测试|テスト)?)$`,
    '(?:修复|修好|修正|解决|处理|排查|之前|此前|曾经?|解消|調査|対応|先ほど).{0,6}$',
  ),
  after: after(
    String.raw`(?:数|用例|tests?|\s|[:=]){0,6}(?:${noneAtAll}|(?:0|zero|零)(?![\d.]))`,
    '.{0,8}(?:修复|解决|修正|解消)',
    '(?:は|が)?(?:して)?い?(?:ない|ません|なく)|(?:は|が)?(?:あり|見つかり|出てい)ません|(?:は|が)?(?:なし|なく)',
  ),
};

export const ongoing: Signal = {
  words: words(
    String.raw`\b(?:in progress|wip|working on|still (?:working|running|need|have|to do)|ongoing|remaining|left to do)\b`,
    '正在(?!等)|进行中|还在|还剩|剩余|还需|作業中|対応中|進行中|残り',
    // What does not pass now is not done, whatever else the report says.
    String.raw`${checks}\s+(?:still\s+)?(?:fail|(?:do|does|are|is)(?:\s+not|n['’]t)\s+(?:yet\s+)?(?:pass|passing|green))\b`,
    '(?:测试|验证|验收|检查|编译|构建|用例)(?:还|仍|尚|都|并|也){0,2}(?:没有?|未)能?(?:全部|都|完全)?通过',
    'テスト(?:は|が)(?:まだ)?(?:通って|通過して)い(?:ない|ません)',
  ),
  before: before(
    String.raw`(?:${not}|${notZh}|零|\b0)(?:\s+of(?:\s+the)?)?\s*$`,
    String.raw`\b(?:if|when|unless|until)\b${within(3)}`,
    `${notZh}${betweenZh}$`,
    '(?:如果|若|之前|此前|曾经?|原来|原先).{0,6}$',
  ),
  after: after(String.raw`\s*:?\s*(?:${none}|nothing)`),
};

/** So many of them, in figures. */
export const counted: { before: RegExp; after: RegExp } = {
  before: before(
    String.raw`(?:^|[^\d.:/-])[1-9]\d{0,5}\s*(?:[个项次条件]|[\w-]+\s+){0,2}(?:用例|测试|テスト)?\s*$`,
  ),
  after: after(String.raw`\s*[:=]?\s*[1-9]\d{0,5}(?![\d.]*\s*%)`),
};

/** Three of five are not all. */
export const fraction = /(\d{1,6})\s*(?:\/|of|out of)\s*(\d{1,6})/iu;
export const question = /\?\s*$|[吗呢]\s*[。!]?$|(?:です|ます|した)か。?$/u;
