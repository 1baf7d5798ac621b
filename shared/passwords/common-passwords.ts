/**
 * Whether a password is one of those that are tried first: a well-known word with digits and signs around it, with digits instead of
 * letters (`P4ssw0rd!`), repeated or doubled, a sequence of characters, or neighbouring keys.
 */
export function isCommonPassword(password: string): boolean {
  const key = password.toLowerCase().replace(/\s+/g, '')
  if (new Set(key).size <= 2) return true
  const forms = [key, withLetters(key)].flatMap((form) => [form, trimmed(form), withLetters(trimmed(form))])
  return forms.some((form) => WORDS.has(form) || WORDS.has(unrepeated(form)) || isSequence(form))
}

/** Digits and signs that stand for letters. */
function withLetters(key: string) {
  return key.replace(/[0134578@$!|+]/g, (sign) => LOOKALIKES.get(sign) ?? sign)
}

const LOOKALIKES = new Map(Object.entries({ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b' }))
for (const [sign, letter] of Object.entries({ '@': 'a', $: 's', '!': 'i', '|': 'l', '+': 't' }))
  LOOKALIKES.set(sign, letter)

/** Without digits and signs at both ends. */
function trimmed(key: string) {
  return key.replace(/^[\d\W_]+/, '').replace(/[\d\W_]+$/, '')
}

/** `abcabc` becomes `abc`. */
function unrepeated(key: string) {
  return /^(.+?)\1+$/s.exec(key)?.[1] ?? key
}

const ROWS = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
  'yxcvbnm',
]
const COLUMNS = [
  '1qaz2wsx3edc4rfv5tgb6yhn',
  '1q2w3e4r5t6y7u8i9o0p',
  'qazwsxedcrfvtgbyhnujm',
  'q1w2e3r4t5y6',
  'zaqxswcdevfr',
  '1a2b3c4d5e6f',
  '2wsx3edc4rfv',
]
const RUNS = [...ROWS, ...COLUMNS, ROWS.slice(2, 5).join('')].flatMap((row) => [row, [...row].reverse().join('')])

const SHORTEST_RUN = 3

/** Made of runs of neighbouring keys, or of the alphabet, only: `qwerty123`, `abc123xyz`. */
function isSequence(key: string): boolean {
  for (let start = 0; start < key.length; ) {
    const length = longestRunAt(key, start)
    if (length < SHORTEST_RUN) return false
    start += length
  }
  return key !== ''
}

function longestRunAt(key: string, start: number): number {
  let longest = /^(.)\1*/s.exec(key.slice(start))?.[0].length ?? 0
  for (const run of RUNS)
    for (let end = start + longest + 1; end <= key.length && run.includes(key.slice(start, end)); end++)
      longest = end - start
  return longest
}

const WORDS: ReadonlySet<string> = new Set(
  `password passwort passwd passw0rd motdepasse contrasena contrasenya parola senha heslo haslo wachtwoord salasana losenord jelszo sifre
  passphrase passcode pass mypass mypassword thepassword newpassword oldpassword yourpassword ourpassword password password changeme changeit
  changethis change secret topsecret secretpassword mysecret geheim segreto segredo secreto default standard unknown nothing nopassword none
  letmein letmeinnow openup opensesame sesame welcome welcomeback willkommen bienvenue bienvenido benvenuto hello hellothere helloworld hallo
  bonjour holamundo hola ciao goodbye admin admins administrator adminadmin administrador root toor rootroot superuser sysadmin system manager
  master operator guest user users username login logon signin test tests tester testing testtest testuser demo example sample temp temporary
  service support helpdesk office public private access account backup database server network internet computer laptop windows linux ubuntu
  debian android iphone apple google facebook twitter youtube instagram linkedin amazon microsoft yahoo hotmail gmail email mail mailbox
  bugzilla tracker lacewing jenkins oracle mysql postgres postgresql redis docker github gitlab samsung nokia sony toshiba lenovo thinkpad
  dragon monkey tiger lion eagle falcon hawk wolf bear panther leopard jaguar cheetah dolphin shark snake cobra python viper spider scorpion
  butterfly phoenix unicorn turtle rabbit bunny kitten kitty pussycat puppy doggy horse pony chicken turkey penguin panda koala elephant
  football baseball basketball softball volleyball hockey soccer tennis golf golfer rugby cricket boxing wrestling skiing skating surfing
  swimming running fishing hunting racing driver biking cycling skateboard snowboard goalkeeper striker champion champions player playboy
  liverpool chelsea arsenal everton barcelona realmadrid juventus milan inter ajax bayern dortmund schalke celtic rangers manchester united
  manutd newcastle westham tottenham boca river flamengo corinthians palmeiras santos yankees redsox dodgers giants cowboys steelers packers
  patriots raiders eagles broncos lakers celtics bulls warriors knicks spurs heat mustang corvette camaro ferrari porsche lamborghini mercedes
  bmw audi toyota honda nissan mazda subaru suzuki yamaha harley kawasaki ducati jaguar bentley cadillac chevrolet chevy ford dodge ranger
  superman batman spiderman ironman wolverine deadpool avengers captain america hulk thor loki joker robin catwoman superstar starwars
  startrek skywalker darthvader yoda jedi chewbacca hansolo leia matrix trinity neo morpheus terminator predator rambo rocky gandalf frodo
  bilbo aragorn legolas gollum hobbit harrypotter hermione dumbledore voldemort hogwarts gryffindor slytherin pokemon pikachu charizard naruto
  sasuke goku vegeta dragonball onepiece luffy zelda mario luigi sonic pacman tetris minecraft fortnite roblox warcraft starcraft diablo doom
  quake halflife counterstrike callofduty halo skyrim fallout simpsons homer bart mickey minnie donald goofy pluto snoopy garfield scooby
  scoobydoo tigger winnie winniethepooh eeyore piglet bambi nemo shrek barbie hellokitty elmo cookiemonster
  michael jennifer jordan jessica michelle daniel ashley andrew joshua matthew charlie robert thomas william anthony nicole justin brandon
  amanda melissa samantha taylor austin hannah lauren matrix george martin andrea maggie buster ginger pepper bailey harley sophie chelsea
  rachel rebecca victoria elizabeth stephanie alexander alexandra alexandre alejandro alejandra christian christina christine christopher
  jonathan nathan nicholas benjamin samuel gabriel raphael david richard edward charles patrick kevin brian steven stephen jason joseph james
  john johnny johndoe janedoe peter paul simon stefan stefanie sabrina sandra sarah susanne claudia daniela monika nadine nicole katharina
  katrina kathrin julia juliana laura linda lisa maria mariana marina martina melanie natalie natasha olivia patricia sabine silvia sonia
  svetlana tanya tatiana teresa theresa vanessa veronica vladimir sergey dmitry alexey andrey ivan igor oleg yuri nikita natalia irina olga
  marcel marco marcus mario mathias maximilian manuel miguel carlos fernando francisco antonio roberto ricardo eduardo rodrigo gustavo felipe
  leonardo giovanni giuseppe francesca federica valentina alessandro lorenzo matteo camille pierre jacques francois nicolas julien mathieu
  sunshine moonlight starlight daylight rainbow summer winter autumn spring january february march april may june july august september
  october november december monday tuesday wednesday thursday friday saturday sunday morning evening midnight tonight today tomorrow yesterday
  birthday holiday vacation weekend christmas easter halloween thanksgiving valentine santaclaus snowman snowball snowflake
  iloveyou iloveu ilovehim iloveher ilovegod iloveme ihateyou loveyou lovely lover lovers loveme lovelove love forever always together
  friends friend bestfriend bestfriends family mother father mommy daddy mama papa brother sister baby babygirl babyboy babe honey sweetie
  sweetheart darling princess prince queen king angel angels heaven devil demon satan lucifer jesus jesuschrist christ god godbless blessed
  blessing faith hope grace mercy glory savior church bible prayer amen buddha allah shalom karma freedom liberty peace justice victory
  chocolate cookie cookies candy sugar honeybee banana orange apple cherry strawberry blueberry raspberry blackberry peaches mango lemon
  lemonade coconut pineapple watermelon tomato potato pumpkin carrot cheese cheesecake pizza spaghetti macaroni burger hamburger sandwich
  bacon butter peanut peanutbutter coffee espresso cappuccino tea whiskey whisky vodka tequila beer heineken guinness budweiser corona
  cocacola pepsi sprite fanta redbull smoothie icecream vanilla cinnamon pepper salt muffin cupcake pancake waffle donut
  purple yellow green orange pink black white silver golden gold diamond crystal ruby emerald sapphire platinum titanium bluesky redrose
  flower flowers rose roses lily daisy jasmine violet tulip orchid lotus blossom garden forest mountain river ocean island beach paradise
  thunder lightning storm tornado hurricane blizzard sunrise sunset stars galaxy universe cosmos planet jupiter saturn mercury venus mars
  apollo zeus hermes athena hercules achilles poseidon phoenix samurai ninja warrior knight gladiator viking pirate pirates wizard witch
  vampire zombie ghost monster killer hunter shadow darkness nightmare dragonfly mystery magic magical fantasy legend destiny
  metallica slipknot nirvana linkinpark greenday blink blinkone acdc ironmaiden beatles rollingstones queen pinkfloyd ledzeppelin eminem tupac
  biggie rihanna beyonce shakira madonna elvis michaeljackson justinbieber onedirection coldplay radiohead depeche guitar piano drums music
  trustno trustnoone trustme donttrust fuckyou fuckoff fuckme fuck asshole bitch bullshit shit pussy dick cock sex sexy sexsex sexygirl porn
  pornstar hardcore hotgirl hottie naughty horny boobs bigdick biteme suckit loser idiot stupid dumbass whatever whocares nobody noone
  computer internet access whatever starbucks samsung blahblah blah asdf asdfasdf asdfgh asdfjkl qwer qwert qwerty qwertz azerty qweasd
  qweasdzxc qwerasdf zxcv zxcvb zxcvbn wasd qazwsx wsxedc qaz abc abcd abcde abcdef abcabc aaa xxx xyz foobar foo bar baz lorem ipsum
  cheer cheerleader soldier marine marines army navy airforce police fireman doctor nurse teacher student school college university science
  london paris berlin madrid rome roma vienna moscow newyork chicago boston dallas houston texas florida california hollywood vegas lasvegas
  canada mexico brasil brazil argentina espana spain italia italy france germany deutschland england scotland ireland australia india china
  japan tokyo korea russia ukraine poland polska turkey istanbul galatasaray fenerbahce besiktas america american usa
  money dollar dollars rich richman millionaire million lucky luckyone lucky777 winner casino poker blackjack jackpot business marketing
  success successful important special awesome amazing beautiful perfect wonderful fantastic excellent great supreme ultimate extreme maximum
  number onelove oneday someday everyday everything something anything nothing somebody anybody remember forget forgotten memory dream
  dreamer dreams believe inspire smile smiley happy happiness sadness crazy insane funny lol lolol rofl haha hahaha hehe lmao wtf omg
  ranger scooter skippy buddy rocky lucky max bella daisy molly sadie toby duke zeus bear simba nala oscar felix smokey shadow tiger misty
  patches boomer sparky cooper gizmo chico coco lola luna milo oreo pepe peaches precious princess prince rusty sasha sammy sassy snickers
  socks sophie sunny taz teddy teddybear tinker tinkerbell whiskers ziggy zoe`.split(/\s+/),
)
