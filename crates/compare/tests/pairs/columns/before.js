const rnd=(s=>()=>((s=Math.imul(s^s>>>15,0x2c1b3c6d)+0x9e3779b9|0)>>>0)/4294967296)(7);
const words=n=>Array.from({length:n},()=>Math.floor(rnd()*36**6).toString(36)).join('-');
const N=20000;const out=globalThis.out={};
class P{constructor(i){this.x=i*1.5;this.y=i*2.5;this.z=i*3.5}}
out.p=[];for(let i=0;i<N;i++)out.p.push(new P(i));
