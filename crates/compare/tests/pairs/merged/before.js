const rnd=(s=>()=>((s=Math.imul(s^s>>>15,0x2c1b3c6d)+0x9e3779b9|0)>>>0)/4294967296)(7);
const words=n=>Array.from({length:n},()=>Math.floor(rnd()*36**6).toString(36)).join('-');
const N=20000;const out=globalThis.out={};
class A{constructor(i){this.city=JSON.parse('"city of '+(i%50)+' in the country"');this.a=words(2)}}
class B{constructor(i){this.city=JSON.parse('"city of '+(i%50)+' in the country"');this.b=words(2)}}
out.as=[];out.bs=[];for(let i=0;i<N/2;i++){out.as.push(new A(i));out.bs.push(new B(i))}
