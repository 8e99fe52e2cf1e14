const rnd=(s=>()=>((s=Math.imul(s^s>>>15,0x2c1b3c6d)+0x9e3779b9|0)>>>0)/4294967296)(7);
const words=n=>Array.from({length:n},()=>Math.floor(rnd()*36**6).toString(36)).join('-');
const N=20000;const out=globalThis.out={};
class V{constructor(i){this.city=JSON.parse('"city of '+(i%50)+' in the country"');this.at=new Date(1.7e12+i*1000);this.who=words(2)}}
out.v=[];for(let i=0;i<N;i++)out.v.push(new V(i));
