const rnd=(s=>()=>((s=Math.imul(s^s>>>15,0x2c1b3c6d)+0x9e3779b9|0)>>>0)/4294967296)(7);
const words=n=>Array.from({length:n},()=>Math.floor(rnd()*36**6).toString(36)).join('-');
const N=20000;const out=globalThis.out={};
class Id{constructor(i){this.id=new Uint8Array(12);this.id[0]=i;this.id[3]=i>>8;this.id[7]=i*31}}
out.ids=[];for(let i=0;i<N;i++)out.ids.push(new Id(i));
