// One table for both classes, which is let go of once they are loaded, the last ones first.
const rnd=(s=>()=>((s=Math.imul(s^s>>>15,0x2c1b3c6d)+0x9e3779b9|0)>>>0)/4294967296)(7);const next=n=>Math.floor(rnd()*n);
let seen=new Map();const one=text=>{const kept=seen.get(text);if(kept!==undefined)return kept;seen.set(text,text);return text};
const text=()=>one(Buffer.from('Invoice of customer '+(next(5)===0?next(100000):next(12))).toString('latin1'));
class Deposited{constructor(id){this.id=id;this.memo=text()}}
class Transferred{constructor(id){this.id=id;this.memo=text()}}
const out=globalThis.out=[];
for(let i=59999;i>=0;i--)out.push(i<30000?new Deposited(i):new Transferred(i));
seen=null;
